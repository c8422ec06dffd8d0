import Weir

/// Connects a property to the subscriber that sets its value.
///
///     ControlProperty ──holds──▶ ValueSink ──holds──▶ subject ◀──hold each other──▶ subscriber
///
/// Invariant: no other code sends into the subject, so its subscriber is released with this object.
/// (`RxTests/releasesSink`)
final class ValueSink<Value> {
  private let input = PassthroughSubject<Value, Never>()

  init(_ subscriber: some Subscriber<Value, Never>) {
    input.subscribe(subscriber)
  }

  deinit {
    input.removeAllMembers()
  }

  func send(_ value: Value) {
    input.send(value)
  }
}

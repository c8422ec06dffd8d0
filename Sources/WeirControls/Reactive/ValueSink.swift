import Weir

/// The way from a property to the subscriber that sets its value.
///
///     ControlProperty ──holds──▶ ValueSink ──holds──▶ subject ◀──hold each other──▶ subscriber
///
/// Invariant: nothing else sends into the subject, so its subscriber is released with this. (`RxTests/releasesSink`)
final class ValueSink<Value> {
  private let input = PassthroughSubject<Value, Never>()

  init(_ subscriber: some Subscriber<Value, Never>) {
    input.subscribe(subscriber)
  }

  deinit {
    input.dissolve()
  }

  func send(_ value: Value) {
    input.send(value)
  }
}

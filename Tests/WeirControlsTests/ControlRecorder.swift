import Weir
import WeirControls

/// A subscriber that records its events, and requests the demand that it is told to.
///
/// `Recorder` requires `Equatable` values, which controls aren't.
// Safety: the tests use it from one thread at a time.
final class ControlRecorder<Input>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  /// The events in order: `subscription`, the result of `name` for a value, `finished`.
  private(set) var events: [String] = []

  private(set) var subscription: (any Subscription)?

  /// The demand that it requests at the subscription.
  let initial: Subscribers.Demand

  /// A closure that runs in each delivery and returns additional demand.
  var onValue: (ControlRecorder, Input) -> Subscribers.Demand

  var onCompletion: () -> Void = {}

  var name: (Input) -> String = { _ in "event" }

  init(
    _ initial: Subscribers.Demand = .none,
    onValue: @escaping (ControlRecorder, Input) -> Subscribers.Demand = { _, _ in .none }
  ) {
    self.initial = initial
    self.onValue = onValue
  }

  func receive(subscription: any Subscription) {
    events.append("subscription")
    self.subscription = subscription
    if initial != .none { subscription.request(initial) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    events.append(name(input))
    return onValue(self, input)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    events.append("\(completion)")
    onCompletion()
  }

  func note(_ event: String) {
    events.append(event)
  }

  /// Releases the subscription.
  func forget() {
    subscription = nil
  }
}

/// A value that moves between threads: one at a time owns it.
final class Handover<Content>: @unchecked Sendable {
  var content: Content?

  init(_ content: Content? = nil) {
    self.content = content
  }
}

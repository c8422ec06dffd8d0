import Weir
import WeirControls

/// A subscriber that notes what it receives and asks for what it is told to.
///
/// `Recorder` is for values that can be compared, which controls can't.
// Sendable because the tests use it from one thread at a time.
final class ControlRecorder<Input>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  /// What came, in order: `subscription`, what `name` makes of a value, `finished`.
  private(set) var events: [String] = []

  private(set) var subscription: (any Subscription)?

  /// Asked for as soon as there is a subscription.
  let initial: Subscribers.Demand

  /// Runs inside of each delivery; its result is asked for in addition.
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

  /// Lets go of the subscription.
  func forget() {
    subscription = nil
  }
}

/// Something that goes from thread to thread: one at a time has it.
final class Handover<Content>: @unchecked Sendable {
  var content: Content?

  init(_ content: Content? = nil) {
    self.content = content
  }
}

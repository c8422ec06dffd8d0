import Weir
import WeirControls

/// A subscriber that notes what it receives and asks for what it is told to.
// Sendable because the tests use it from one thread at a time.
final class Recorder<Input>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  /// What came, in order: `subscription`, what `name` makes of a value, `finished`.
  private(set) var events: [String] = []

  private(set) var subscription: (any Subscription)?

  /// Asked for as soon as there is a subscription.
  let initial: Subscribers.Demand

  /// Runs inside of each delivery; its result is asked for in addition.
  var onValue: (Recorder, Input) -> Subscribers.Demand

  var onCompletion: () -> Void = {}

  var name: (Input) -> String = { _ in "event" }

  init(
    _ initial: Subscribers.Demand = .none,
    onValue: @escaping (Recorder, Input) -> Subscribers.Demand = { _, _ in .none }
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

/// A target that notes which of its methods run.
@MainActor
final class Target {
  private(set) var events: [String] = []

  func first() { events.append("first") }

  func second() { events.append("second") }

  func sender(_ button: Button) { events.append("sender \(button.title)") }

  func senderAndEvent(_ button: Button, event: Control.Event) { events.append("\(button.title) \(event)") }

  func note(_ event: String) { events.append(event) }
}

/// A target that is bound to no actor.
final class FreeTarget {
  private(set) var events: [String] = []

  func plain() { events.append("plain") }

  func sender(_ button: Button) { events.append("sender") }

  func senderAndEvent(_ button: Button, event: Control.Event) { events.append("\(event)") }
}

/// Something that goes from thread to thread: one at a time has it.
final class Box<Content>: @unchecked Sendable {
  var content: Content?

  init(_ content: Content? = nil) {
    self.content = content
  }
}

import Weir

/// The way from a property to the subscriber that sets its value.
///
///     ControlProperty ──holds──▶ ValueSink ──holds──▶ subject ──holds──▶ subscriber
///
/// The subject and its member hold each other. Nothing else can end that, so releasing the sink cancels the member.
/// (`RxTests`)
@MainActor
final class ValueSink<Value> {
  private let input = PassthroughSubject<Value, Never>()

  // Safety: written on the main actor by `init`, read by `deinit`. (`ControlPropertyTests`)
  nonisolated(unsafe) private var subscription: (any Subscription)?

  init(_ subscriber: some Subscriber<Value, Never>) {
    input.subscribe(SubscriptionKeeper(downstream: subscriber) { [weak self] in self?.subscription = $0 })
  }

  deinit {
    subscription?.cancel()
  }

  func send(_ value: Value) {
    input.send(value)
  }
}

/// Passes everything on, and shows the subscription to a closure before.
private struct SubscriptionKeeper<Downstream: Subscriber>: Subscriber {
  let downstream: Downstream
  let keep: (any Subscription) -> Void

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) {
    keep(subscription)
    downstream.receive(subscription: subscription)
  }

  func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(value)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

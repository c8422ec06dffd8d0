import Weir

/// Records the received events, and the rules that they break.
package final class Recorder: Subscriber {
  package typealias Input = String
  package typealias Failure = Oops

  package private(set) var seen: [String] = []
  /// The first unexpected event.
  package private(set) var breach: String?
  /// The number of values after the cancellation.
  package private(set) var late = 0
  private(set) var isCancelled = false

  private var demand: Subscribers.Demand
  private var isTerminated = false
  private var subscription: (any Subscription)?
  private unowned let hook: Hook

  init(_ demand: Subscribers.Demand, _ hook: Hook) {
    self.demand = demand
    self.hook = hook
  }

  func request(_ more: Subscribers.Demand) {
    if let subscription { subscription.request(more) } else { demand += more }
  }

  func cancel() {
    isCancelled = true
    subscription.take()?.cancel()
  }

  package func receive(subscription: any Subscription) {
    if isCancelled { return subscription.cancel() }
    self.subscription = subscription
    hook.reach(.attachment)
    if !isCancelled, demand > .none { subscription.request(demand) }
  }

  package func receive(_ input: String) -> Subscribers.Demand {
    note(input)
    hook.reach(.receive)
    return .none
  }

  package func receive(completion: Subscribers.Completion<Oops>) {
    switch completion {
    case .finished: note("finished")
    case .failure: note("failed")
    }
    isTerminated = true
    subscription = nil
    hook.reach(.receive)
  }

  private func note(_ event: String) {
    if event.contains("damaged") { breach = breach ?? "received a damaged value" }
    if isTerminated { breach = breach ?? "received \(event) after the end" }
    if isCancelled { late += 1 } else { seen.append(event) }
  }
}

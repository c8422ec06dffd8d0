/// What an `AsyncFeed` decides, under its lock; the feed does it outside.
struct AsyncFeedMachine<Output, Failure: Error> {
  typealias Waiter = UnsafeContinuation<Result<Output?, Failure>, Never>

  enum Phase {
    /// No subscription has come; it is to be asked for so many values when it does.
    case waiting(Subscribers.Demand)
    /// Each wait asks for one value.
    case running(any Subscription)
    /// Ended or cancelled; the next wait gets the failure, if it has not been told yet.
    case over(Failure?)
  }

  enum Action {
    case nothing
    case request(any Subscription, Subscribers.Demand)
    case cancel(any Subscription)
    case resume(Waiter, Result<Output?, Failure>)
    /// The first gets the failure, the others nothing. The subscription is let go of, and cancelled before or not.
    case end([Waiter], Failure?, (any Subscription)?, cancelling: Bool)
  }

  private var phase = Phase.waiting(.none)

  /// Who waits, by order of arrival.
  private var waiters: [Waiter] = []

  mutating func awaited(by waiter: Waiter) -> Action {
    switch phase {
    case .waiting(let demand):
      waiters.append(waiter)
      phase = .waiting(demand + 1)
      return .nothing
    case .running(let subscription):
      waiters.append(waiter)
      return .request(subscription, .max(1))
    case .over(let failure):
      phase = .over(nil)
      return .resume(waiter, failure.map { .failure($0) } ?? .success(nil))
    }
  }

  mutating func subscribed(_ subscription: any Subscription) -> Action {
    guard case .waiting(let demand) = phase else { return .cancel(subscription) }
    phase = .running(subscription)
    return demand == .none ? .nothing : .request(subscription, demand)
  }

  mutating func received(_ value: Output) -> Action {
    switch phase {
    case .waiting:
      // From an upstream without a subscription, as in Combine: nobody waits for what may never be asked for.
      return .end(takeWaiters(), nil, nil, cancelling: false)
    case .running:
      // One that nobody waits for was not asked for.
      return waiters.isEmpty ? .nothing : .resume(waiters.removeFirst(), .success(value))
    case .over:
      return .nothing
    }
  }

  mutating func completed(_ completion: Subscribers.Completion<Failure>) -> Action {
    let failure: Failure? = if case .failure(let failure) = completion { failure } else { nil }
    return end(failure, cancelling: false)
  }

  mutating func cancelled() -> Action {
    end(nil, cancelling: true)
  }

  private mutating func end(_ failure: Failure?, cancelling: Bool) -> Action {
    let subscription: (any Subscription)?
    switch phase {
    case .waiting: subscription = nil
    case .running(let running): subscription = running
    case .over(let untold):
      guard cancelling else { return .nothing }
      // A cancel takes back a failure that nobody has been told, and lets go of it.
      phase = .over(nil)
      return .end([], untold, nil, cancelling: false)
    }
    phase = .over(waiters.isEmpty ? failure : nil)
    return .end(takeWaiters(), failure, subscription, cancelling: cancelling)
  }

  private mutating func takeWaiters() -> [Waiter] {
    defer { waiters = [] }
    return waiters
  }
}

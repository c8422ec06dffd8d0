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
    /// The subscription, if there is one, is asked for another value first.
    case resume(Waiter, Result<Output?, Failure>, asking: (any Subscription)?)
    case release(Output)
    /// The first gets the failure, the others nothing. The subscription is let go of, and cancelled before or not, and
    /// so are the values that nobody will get.
    case end([Waiter], Failure?, (any Subscription)?, Fifo<Output>, cancelling: Bool)
  }

  /// What is kept for waits to come; without it each wait asks for one value, and nothing is kept.
  private let buffering: AsyncBuffering?

  private var phase: Phase

  /// Who waits, by order of arrival; nobody as long as there are values.
  private var waiters: [Waiter] = []

  /// What nobody has waited for yet.
  private var values = Fifo<Output>()

  init(_ buffering: AsyncBuffering?) {
    self.buffering = buffering
    phase = .waiting(buffering?.demand ?? .none)
  }

  mutating func awaited(by waiter: Waiter) -> Action {
    if let value = values.popFirst() {
      // The room that it leaves is asked for, if it was asked for.
      guard case .suspending = buffering, case .running(let subscription) = phase else {
        return .resume(waiter, .success(value), asking: nil)
      }
      return .resume(waiter, .success(value), asking: subscription)
    }
    switch phase {
    case .waiting(let demand):
      waiters.append(waiter)
      if buffering == nil { phase = .waiting(demand + 1) }
      return .nothing
    case .running(let subscription):
      waiters.append(waiter)
      return buffering == nil ? .request(subscription, .max(1)) : .nothing
    case .over(let failure):
      phase = .over(nil)
      return .resume(waiter, failure.map { .failure($0) } ?? .success(nil), asking: nil)
    }
  }

  mutating func subscribed(_ subscription: any Subscription) -> Action {
    guard case .waiting(let demand) = phase else { return .cancel(subscription) }
    phase = .running(subscription)
    return demand == .none ? .nothing : .request(subscription, demand)
  }

  mutating func received(_ value: Output) -> (Action, Subscribers.Demand) {
    switch phase {
    case .waiting:
      // From an upstream without a subscription, as in Combine: nobody waits for what may never be asked for.
      return (.end(takeWaiters(), nil, nil, Fifo(), cancelling: false), .none)
    case .running:
      guard waiters.isEmpty else {
        // It takes no room, so there is room for another one.
        let more: Subscribers.Demand = if case .suspending = buffering { .max(1) } else { .none }
        return (.resume(waiters.removeFirst(), .success(value), asking: nil), more)
      }
      return (keep(value), .none)
    case .over:
      return (.nothing, .none)
    }
  }

  private mutating func keep(_ value: Output) -> Action {
    switch buffering {
    case nil:
      // One that nobody waits for was not asked for.
      return .nothing
    case .oldest(let room), .suspending(let room):
      // More than there is room for was not asked for, if it is asked for.
      if values.count < room { values.append(value) }
      return .nothing
    case .newest(let room):
      let oldest = values.count < room ? nil : values.popFirst()
      values.append(value)
      return oldest.map { .release($0) } ?? .nothing
    case .unbounded:
      values.append(value)
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
      // A cancel takes back what nobody has been told, and lets go of it.
      phase = .over(nil)
      return .end([], untold, nil, takeValues(), cancelling: false)
    }
    phase = .over(waiters.isEmpty ? failure : nil)
    return .end(takeWaiters(), failure, subscription, cancelling ? takeValues() : Fifo(), cancelling: cancelling)
  }

  private mutating func takeValues() -> Fifo<Output> {
    defer { values = Fifo() }
    return values
  }

  private mutating func takeWaiters() -> [Waiter] {
    defer { waiters = [] }
    return waiters
  }
}

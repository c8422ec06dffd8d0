public import Weir

/// A subscriber that asks for what it is told to ask for, and writes down and judges every event.
///
///     let subscriber = TestSubscriber<Int, Never>(demanding: .max(2))
///     [1, 2, 3].publisher.map { $0 * 10 }.subscribe(subscriber)
///
///     subscriber.values            // [10, 20]
///     subscriber.isFinished        // false
///     subscriber.request(.max(1))
///     subscriber.values            // [10, 20, 30]
///     try subscriber.checkContract()
///
/// It breaks no rule itself and survives a publisher that breaks every one: it cancels a second subscription, and
/// records and reports whatever else should not have come.
///
/// - Demand: `demanding` at the subscription, `returning` for each value, and what ``request(_:)`` asks for.
/// - Completion and cancellation: ``cancel()`` is passed on each time. The subscription is kept, so that it can be asked
///   for what it must ignore.
/// - Threading: all of it may be used on any thread, also from inside a delivery.
public final class TestSubscriber<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
  struct State {
    var log: SubscriberLog<Input, Failure>
    var requestedEarly: Subscribers.Demand
    var onEvent: ((TestSubscriber, TestEvent<Input, Failure>) -> Void)?
    var waiters = Waiters()
  }

  let state: Shared<State>
  private let returning: (Input) -> Subscribers.Demand

  /// Where the times of the events come from.
  public let clock: VirtualTimeScheduler?

  /// Makes a subscriber that returns the same demand for each value.
  ///
  /// - Parameters:
  ///   - initial: what is requested as soon as the subscription comes.
  ///   - returning: what each value brings back.
  ///   - clock: gives the times of the events; without it they are all zero.
  ///   - allowing: rules whose breach is no violation here. A subject that is sent to from inside its own delivery
  ///     delivers nested, as in Combine: allow `.notNested` where that is meant to happen.
  public convenience init(
    demanding initial: Subscribers.Demand = .none, returning: Subscribers.Demand = .none,
    clock: VirtualTimeScheduler? = nil, allowing: Set<ContractViolation.Rule> = []
  ) {
    self.init(demanding: initial, clock: clock, allowing: allowing) { _ in returning }
  }

  /// Makes a subscriber whose closure says what each value brings back.
  public init(
    demanding initial: Subscribers.Demand = .none, clock: VirtualTimeScheduler? = nil,
    allowing: Set<ContractViolation.Rule> = [], returning: @escaping (Input) -> Subscribers.Demand
  ) {
    state = Shared(State(log: SubscriberLog(allowing: allowing), requestedEarly: initial))
    self.clock = clock
    self.returning = returning
  }

  /// Runs inside each delivery, when the event is written down: the place to ask, cancel or send from.
  ///
  /// At the subscription it runs before anything is requested.
  public var onEvent: ((TestSubscriber, TestEvent<Input, Failure>) -> Void)? {
    get { state.withLock { $0.onEvent } }
    set {
      let old = state.withLock { state in
        defer { state.onEvent = newValue }
        return state.onEvent
      }
      // Released when the lock is free.
      withExtendedLifetime(old) {}
    }
  }

  // MARK: What it does

  /// Asks for so many values more; before the subscription comes, when it comes.
  public func request(_ demand: Subscribers.Demand) {
    let time = time
    let subscription = state.withLock { state in
      let subscription = state.log.requests(demand, at: time)
      if subscription == nil { state.requestedEarly += demand }
      return subscription
    }
    subscription?.request(demand)
  }

  /// Cancels the subscription; before it comes, when it comes.
  public func cancel() {
    let time = time
    state.withLock { $0.log.cancels(at: time) }?.cancel()
    state.withLock { $0.log.cancelReturned(on: currentThread()) }
  }

  // MARK: What it is told

  /// Keeps the subscription and requests the initial demand; a second one is a violation, and is cancelled.
  public func receive(subscription: any Subscription) {
    let time = time
    let name = String(describing: subscription)
    let isKept = state.withLock { $0.log.subscribed(subscription, named: name, at: time) }
    onEvent?(self, .subscription(name))
    guard isKept else {
      subscription.cancel()
      return state.withLock { if $0.log.isCancelled { $0.log.cancelReturned(on: currentThread()) } }
    }
    let demand = state.withLock { state in
      defer { state.requestedEarly = .none }
      return state.log.isCancelled ? .none : state.requestedEarly
    }
    if demand > .none { request(demand) }
  }

  /// Writes the value down and returns demand for it.
  public func receive(_ input: Input) -> Subscribers.Demand {
    let time = time
    let thread = currentThread()
    let (onEvent, reached) = state.withLock { state in
      state.log.received(input, at: time, on: thread)
      return (state.onEvent, state.takeReached())
    }
    onEvent?(self, .value(input))
    let demand = returning(input)
    state.withLock { $0.log.left(returning: demand, at: self.time, on: thread) }
    for wake in reached { wake() }
    return demand
  }

  /// Writes the end down.
  public func receive(completion: Subscribers.Completion<Failure>) {
    let time = time
    let thread = currentThread()
    let (onEvent, reached) = state.withLock { state in
      state.log.ended(completion, at: time, on: thread)
      return (state.onEvent, state.takeReached())
    }
    onEvent?(self, .completion(completion))
    state.withLock { $0.log.left(returning: .none, at: time, on: thread) }
    for wake in reached { wake() }
  }

  private var time: VirtualTime { clock?.now ?? .zero }

  // MARK: What it knows

  /// All that it was told and did, in order.
  public var history: [Recorded<Input, Failure>] { state.withLock { $0.log.history } }

  /// All that it was told, in order.
  public var events: [TestEvent<Input, Failure>] { history.map(\.event).filter(\.isReceived) }

  /// The values, in order.
  public var values: [Input] {
    history.compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// The first completion, if there was one.
  public var completion: Subscribers.Completion<Failure>? { state.withLock { $0.log.completion } }

  /// Whether the publisher has ended normally.
  public var isFinished: Bool {
    if case .finished = completion { true } else { false }
  }

  /// The error with which the publisher failed, if it did.
  public var failure: Failure? {
    if case .failure(let error) = completion { error } else { nil }
  }

  /// The subscription, once there is one.
  public var subscription: (any Subscription)? { state.withLock { $0.log.subscription } }

  /// The account of the demand.
  public var ledger: DemandLedger { state.withLock { $0.log.ledger } }

  /// The breaches of the contract, in order.
  public var violations: [ContractViolation] { state.withLock { $0.log.violations } }

  /// Throws if the publisher broke the contract.
  ///
  /// - Throws: ``TestFailure``, which names each rule and event, and what led to it.
  public func checkContract(fileID: StaticString = #fileID, line: UInt = #line) throws {
    let (violations, history) = state.withLock { ($0.log.violations, $0.log.history) }
    guard let first = violations.first else { return }
    let led = history[...first.index].suffix(12).map { "\n  \($0)" }
    throw TestFailure(
      violations.map(\.description).joined(separator: "\n") + "\nWhat led to the first:"
        + (led.count < first.index + 1 ? "\n  …" : "") + led.joined(),
      fileID: fileID, line: line)
  }

  /// `TestSubscriber`.
  public var description: String { "TestSubscriber" }
}

// Safety: its state is behind a lock, and `returning` is a constant, which is called where the publisher delivers.
// (`TestSubscriberTests`, `ThreadTests`)
extension TestSubscriber: @unchecked Sendable where Input: Sendable {}

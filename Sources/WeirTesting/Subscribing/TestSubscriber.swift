public import Weir

/// A subscriber that requests the demand that it is told to, and records and checks every event.
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
/// It breaks no rule, and tolerates a publisher that breaks every rule. It cancels a second subscription, and records
/// and reports every other unexpected event.
///
/// - Demand: `demanding` at the subscription, `returning` for each value, and the demand of ``request(_:)``.
/// - Completion and cancellation: each call of ``cancel()`` is forwarded. The subscription is retained, so that tests
///   can send it requests that it must ignore.
/// - Threading: any thread may call all methods, also during a delivery.
public final class TestSubscriber<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
  struct State {
    var log: SubscriberLog<Input, Failure>
    var requestedEarly: Subscribers.Demand
    var onEvent: ((TestSubscriber, TestEvent<Input, Failure>) -> Void)?
    var waiters = Waiters()
  }

  let state: Shared<State>
  private let returning: (Input) -> Subscribers.Demand

  /// The scheduler that measures the times of the events.
  public let clock: VirtualTimeScheduler?

  /// Creates a subscriber that returns the same demand for each value.
  ///
  /// - Parameters:
  ///   - initial: The demand that it requests at the subscription.
  ///   - returning: The demand that it returns for each value.
  ///   - clock: The scheduler that measures the times of the events; without one, they are zero.
  ///   - allowing: Rules whose violation is not recorded. A subject delivers a re-entrant send nested, as in Combine.
  ///     Allow `.notNested` for a test of that behavior.
  public convenience init(
    demanding initial: Subscribers.Demand = .none, returning: Subscribers.Demand = .none,
    clock: VirtualTimeScheduler? = nil, allowing: Set<ContractViolation.Rule> = []
  ) {
    self.init(demanding: initial, clock: clock, allowing: allowing) { _ in returning }
  }

  /// Creates a subscriber with a closure that returns the demand for each value.
  public init(
    demanding initial: Subscribers.Demand = .none, clock: VirtualTimeScheduler? = nil,
    allowing: Set<ContractViolation.Rule> = [], returning: @escaping (Input) -> Subscribers.Demand
  ) {
    state = Shared(State(log: SubscriberLog(allowing: allowing), requestedEarly: initial))
    self.clock = clock
    self.returning = returning
  }

  /// A closure that runs in each delivery, after the event is recorded; it may request, cancel or send.
  ///
  /// At the subscription, it runs before the subscriber requests values.
  public var onEvent: ((TestSubscriber, TestEvent<Input, Failure>) -> Void)? {
    get { state.withLock { $0.onEvent } }
    set {
      let old = state.withLock { state in
        defer { state.onEvent = newValue }
        return state.onEvent
      }
      // Released outside the lock.
      withExtendedLifetime(old) {}
    }
  }

  // MARK: Actions

  /// Requests this many values; before the subscription, as soon as it arrives.
  public func request(_ demand: Subscribers.Demand) {
    let time = time
    let subscription = state.withLock { state in
      let subscription = state.log.requests(demand, at: time)
      if subscription == nil { state.requestedEarly += demand }
      return subscription
    }
    subscription?.request(demand)
  }

  /// Cancels the subscription; before the subscription, as soon as it arrives.
  public func cancel() {
    let time = time
    state.withLock { $0.log.cancels(at: time) }?.cancel()
    state.withLock { $0.log.cancelReturned(on: currentThread()) }
  }

  // MARK: Events

  /// Retains the subscription and requests the initial demand; cancels a second subscription as a violation.
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

  /// Records the value and returns demand for it.
  public func receive(_ input: Input) -> Subscribers.Demand {
    deliver(.value(input), { $0.received(input, at: $1, on: $2) }, answering: { returning(input) })
  }

  /// Records the completion.
  public func receive(completion: Subscribers.Completion<Failure>) {
    _ = deliver(.completion(completion), { $0.ended(completion, at: $1, on: $2) }, answering: { .none })
  }

  /// Records an event from its arrival until its answer.
  private func deliver(
    _ event: TestEvent<Input, Failure>,
    _ record: (inout SubscriberLog<Input, Failure>, VirtualTime, _ thread: UInt) -> Void,
    answering answer: () -> Subscribers.Demand
  ) -> Subscribers.Demand {
    let time = time
    let thread = currentThread()
    let (onEvent, reached) = state.withLock { state in
      record(&state.log, time, thread)
      return (state.onEvent, state.takeReached())
    }
    onEvent?(self, event)
    let demand = answer()
    state.withLock { $0.log.left(returning: demand, at: self.time, on: thread) }
    for wake in reached { wake() }
    return demand
  }

  private var time: VirtualTime { clock?.now ?? .zero }

  // MARK: Results

  /// All received events and actions, in order.
  public var history: [Recorded<Input, Failure>] { state.withLock { $0.log.history } }

  /// All received events, in order.
  public var events: [TestEvent<Input, Failure>] { history.map(\.event).filter(\.isReceived) }

  /// The values, in order.
  public var values: [Input] { state.withLock { $0.log.values } }

  /// The first completion, if there was one.
  public var completion: Subscribers.Completion<Failure>? { state.withLock { $0.log.completion } }

  /// Whether the publisher has finished.
  public var isFinished: Bool {
    if case .finished = completion { true } else { false }
  }

  /// The failure, if the publisher has failed.
  public var failure: Failure? {
    if case .failure(let error) = completion { error } else { nil }
  }

  /// The subscription, if there is one.
  public var subscription: (any Subscription)? { state.withLock { $0.log.subscription } }

  /// The account of the demand.
  public var ledger: DemandLedger { state.withLock { $0.log.ledger } }

  /// The violations of the contract, in order.
  public var violations: [ContractViolation] {
    let (findings, history) = state.withLock { ($0.log.findings, $0.log.history) }
    return findings.map { finding in
      let record = history[finding.index]
      return ContractViolation(
        rule: finding.rule, event: record.event.description, time: record.time, index: finding.index,
        ledger: finding.ledger)
    }
  }

  /// Throws if the publisher broke the contract.
  ///
  /// - Throws: ``TestFailure``, which names each rule and event, and the events before it.
  public func checkContract(fileID: StaticString = #fileID, line: UInt = #line) throws {
    let violations = violations
    guard let first = violations.first else { return }
    let led = history[...first.index].suffix(12).map { "\n  \($0)" }
    throw TestFailure(
      violations.map(\.description).joined(separator: "\n") + "\nThe events before the first violation:"
        + (led.count < first.index + 1 ? "\n  …" : "") + led.joined(),
      fileID: fileID, line: line)
  }

  /// `TestSubscriber`.
  public var description: String { "TestSubscriber" }
}

// Safety: its state is behind a lock. `returning` is a constant, which is called where the publisher delivers.
// (`TestSubscriberTests`, `ThreadTests`)
extension TestSubscriber: @unchecked Sendable where Input: Sendable {}

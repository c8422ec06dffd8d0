import Synchronization

extension Publisher {
  /// Subscribes, requests and cancels on a scheduler.
  ///
  ///     source                 -a-b-|
  ///     .subscribe(on: clock)  -a-b-|
  ///
  /// - Demand: requests reach this publisher on the scheduler, in their order and on one thread at a time. On a
  ///   concurrent scheduler, an action also makes the requests of actions that run meanwhile, at most 200.
  /// - Completion and cancellation: a cancellation is forwarded on the scheduler too. No event is delivered after it. The
  ///   downstream is released when the scheduler has forwarded it.
  /// - Threading: values are delivered on the thread on which this publisher sends them.
  @inlinable
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The scheduler that subscribes, requests and cancels.
    public let scheduler: Context

    /// The scheduler's options for each of these actions.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a downstream, on the scheduler.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let inner = Inner(downstream) { [scheduler, options] work in
        scheduler.schedule(options: options, work)
      }
      let scope = CarriedScope()
      scheduler.schedule(options: options) { [upstream] in
        if inner.subscription.starts() { scope.run { upstream.attach(inner.events) } }
      }
    }
  }
}

extension Publishers.SubscribeOn {
  /// Forwards values directly, and requests and the cancellation on the scheduler.
  @usableFromInline
  final class Inner: Subscriber, Subscription, OperatorReflectable {
    @usableFromInline
    typealias Input = Output

    @usableFromInline
    let downstream: BorrowedDownstream<Output, Failure>

    @usableFromInline
    let subscription: ScheduledSubscription

    @inlinable
    init(_ downstream: consuming Downstream<Output, Failure>, schedule: @escaping (@escaping () -> Void) -> Void) {
      self.downstream = BorrowedDownstream(downstream)
      subscription = ScheduledSubscription(schedule: schedule)
    }

    @usableFromInline
    var description: String { subscription.description }

    /// The downstream of the upstream.
    ///
    /// Performance: its functions capture only this object, so they need no allocation in a debug build.
    @inlinable
    @inline(__always)
    var events: Downstream<Output, Failure> {
      Downstream(
        face: Face({ self }, type: Inner.self), begin: { self.receive(subscription: $0) },
        end: { self.receive(completion: $0) }, next: { self.receive($0) })
    }

    @inlinable
    func receive(subscription upstream: any Subscription) {
      if subscription.upstreamSlot.attach(upstream) { downstream.functions.begin(subscription) }
    }

    @inlinable
    func receive(_ value: Output) -> Subscribers.Demand {
      subscription.upstreamSlot.isOpen ? downstream.functions.next(value) : .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
      if subscription.upstreamSlot.isOpen, subscription.finish() { downstream.functions.end(completion) }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
      subscription.request(demand)
    }

    @usableFromInline
    func cancel() {
      if subscription.upstreamSlot.isOpen { subscription.cancel() }
    }
  }
}

/// A subscription that forwards requests and the cancellation on a scheduler.
///
/// One action is scheduled for each request, and makes the oldest one. On a concurrent scheduler, an action that
/// arrives while another thread is requesting leaves its request to that thread.
@usableFromInline
final class ScheduledSubscription: Subscription, OperatorReflectable {
  @usableFromInline
  let upstreamSlot = SingleAssignmentSubscription()

  private struct State {
    /// What schedules an action on the user's scheduler; `nil` after a completion or a cancellation.
    ///
    /// It retains the user's scheduler, whose pending work retains this object.
    var executor: Executor?

    var requests = ScheduledRequests()
  }

  /// Performance: a closure in a lock would be wrapped in another, newly allocated one, each time it is read.
  private struct Executor {
    let schedule: (@escaping () -> Void) -> Void
  }

  private let state: Locked<State>

  private let isStarted = Atomic<Bool>(false)

  @usableFromInline
  init(schedule: @escaping (@escaping () -> Void) -> Void) {
    state = Locked(State(executor: Executor(schedule: schedule)))
  }

  /// Whether this is the first call; a scheduler can run an action more than once.
  @usableFromInline
  func starts() -> Bool { !isStarted.exchange(true, ordering: .relaxed) }

  @usableFromInline
  var description: String { "SubscribeOn" }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    let upstream = upstreamSlot.subscription.withLock { $0 }
    guard upstream.isFull else { return }
    schedule(upstream) { $0.add(demand) }
  }

  private func schedule(_ upstream: OptionalSubscription, _ prepare: (inout ScheduledRequests) -> Void) {
    let executor = state.withLock { state in
      if state.executor != nil { prepare(&state.requests) }
      return state.executor
    }
    executor?.schedule { [self] in makeRequests(to: upstream) }
  }

  /// Makes the oldest request, and those whose actions other threads run meanwhile.
  private func makeRequests(to upstream: OptionalSubscription) {
    let thread = currentThread()
    guard var turn = state.withLock({ $0.requests.begin(on: thread) }) else { return }
    var allowance = HandOver.limit
    while true {
      // The subscription can have completed, or been cancelled, before the scheduler runs the action.
      if upstreamSlot.isOpen { upstream.request(turn.demand) }
      if turn.isNested { return }
      allowance -= 1
      switch state.withLock({ $0.requests.next(mayContinue: allowance > 0) }) {
      case .make(let demand): turn.demand = demand
      // The scheduler's other work precedes the rest.
      case .schedule: return schedule(upstream) { _ in }
      case .nothing: return
      }
    }
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { upstreamSlot.outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    let upstream = upstreamSlot.close()
    let executor = state.withLock { $0.executor.take() }
    if upstream.isFull { executor?.schedule { upstream.cancel() } }
  }

  /// Records the upstream's completion.
  ///
  /// Returns `false` after another completion or a cancellation.
  @usableFromInline
  func finish() -> Bool {
    let isFirst = upstreamSlot.finish()
    let released = state.withLock { $0.executor.take() }
    return withExtendedLifetime(released) { isFirst }
  }
}

/// The requests that a ``ScheduledSubscription`` has not made.
private struct ScheduledRequests {
  // Performance: the first is apart from the others, because there is rarely more than one.

  private var first = Subscribers.Demand.none
  private var others: Enqueued<Subscribers.Demand>?

  /// The thread that is requesting, or 0.
  private var thread: UInt = 0

  /// The number of actions that found another thread requesting.
  private var missed = 0

  mutating func add(_ demand: Subscribers.Demand) {
    if first == .none { first = demand } else { Enqueued.filling(&others).events.append(demand) }
  }

  /// The request that an action makes, and whether it makes it inside another one on this thread.
  struct Turn {
    var demand: Subscribers.Demand
    let isNested: Bool
  }

  /// Begins the requests of an action; `nil` if there are none, or if another thread is requesting.
  mutating func begin(on thread: UInt) -> Turn? {
    if self.thread != 0, self.thread != thread {
      missed += 1
      return nil
    }
    guard let demand = takeFirst() else { return nil }
    let isNested = self.thread != 0
    self.thread = thread
    return Turn(demand: demand, isNested: isNested)
  }

  /// What a thread does whose request has returned.
  enum Next {
    case make(Subscribers.Demand)
    /// Schedule an action for the requests that have been left to this thread.
    case schedule
    case nothing
  }

  /// Takes the next request that has been left to this thread; if there is none, other threads may request.
  mutating func next(mayContinue: Bool) -> Next {
    if missed > 0, first != .none {
      missed -= 1
      if mayContinue, let demand = takeFirst() { return .make(demand) }
      thread = 0
      return .schedule
    }
    missed = 0
    thread = 0
    return .nothing
  }

  /// Removes and returns the oldest request; a scheduler can run an action more than once, so there may be none.
  private mutating func takeFirst() -> Subscribers.Demand? {
    if first == .none { return nil }
    let taken = first
    first = others?.events.popFirst() ?? .none
    return taken
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

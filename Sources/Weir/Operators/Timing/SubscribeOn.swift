import Synchronization

extension Publisher {
  /// Subscribes, requests and cancels on a scheduler.
  ///
  ///     source                 -a-b-|
  ///     .subscribe(on: clock)  -a-b-|
  ///
  /// - Demand: requests reach this publisher on the scheduler.
  /// - Completion and cancellation: a cancellation is forwarded on the scheduler too. No event is delivered after it.
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
@usableFromInline
final class ScheduledSubscription: Subscription, OperatorReflectable {
  @usableFromInline
  let upstreamSlot = SingleAssignmentSubscription()

  /// What schedules an action on the user's scheduler.
  ///
  /// Performance: a closure in a lock would be wrapped in another, newly allocated one, each time it is read.
  private struct Executor {
    let schedule: (@escaping () -> Void) -> Void
  }

  /// The executor; `nil` after a completion or a cancellation.
  ///
  /// It retains the user's scheduler, whose pending work retains this object.
  private let executor: Locked<Executor?>

  private let isStarted = Atomic<Bool>(false)

  @usableFromInline
  init(schedule: @escaping (@escaping () -> Void) -> Void) {
    executor = Locked(Executor(schedule: schedule))
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
    guard upstream.isFull, let executor = executor.withLock({ $0 }) else { return }
    // The subscription can have completed, or been cancelled, before the scheduler runs this closure.
    executor.schedule { [self] in if upstreamSlot.isOpen { upstream.request(demand) } }
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { upstreamSlot.outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    let upstream = upstreamSlot.close()
    let executor = executor.withLock { $0.take() }
    if upstream.isFull { executor?.schedule { upstream.cancel() } }
  }

  /// Records the upstream's completion.
  ///
  /// Returns `false` after another completion or a cancellation.
  @usableFromInline
  func finish() -> Bool {
    let isFirst = upstreamSlot.finish()
    let released = executor.withLock { $0.take() }
    return withExtendedLifetime(released) { isFirst }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

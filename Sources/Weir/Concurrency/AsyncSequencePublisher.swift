extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements as a publisher.
  ///
  /// - Demand: the iterator advances once for each requested value, without lookahead. The completion is therefore
  ///   found only by a request beyond the last element.
  /// - Completion and cancellation: finishes when the sequence ends. An error that the sequence throws is the failure.
  ///   A cancellation cancels the task that awaits an element, and releases the iterator.
  /// - Threading: each subscriber has its own iterator. While there is demand, a task awaits the iterator outside any
  ///   actor, and values are delivered by that task. No thread is blocked.
  @inlinable
  public var publisher: AsyncSequencePublisher<Self> {
    AsyncSequencePublisher(self)
  }

  /// The elements as a publisher that iterates on an actor.
  ///
  ///     lines.publisher(isolation: MainActor.shared).sink { label.text = $0 }
  ///
  /// - Demand: the iterator advances once for each requested value, without lookahead. The completion is therefore
  ///   found only by a request beyond the last element.
  /// - Completion and cancellation: finishes when the sequence ends. An error that the sequence throws is the failure.
  ///   A cancellation cancels the task that awaits an element, and releases the iterator.
  /// - Threading: each subscriber has its own iterator. While there is demand, a task on the actor awaits the iterator,
  ///   and values are delivered on the actor. After 200 values the task yields, so that other work on the actor can
  ///   run.
  @inlinable
  public func publisher(isolation: any Actor) -> AsyncSequencePublisher<Self> {
    AsyncSequencePublisher(self, isolation: isolation)
  }
}

/// The elements of an asynchronous sequence.
///
/// - Demand: the iterator advances once for each requested value, without lookahead.
/// - Completion and cancellation: finishes when the sequence ends. A cancellation cancels the task that awaits an
///   element.
/// - Threading: a task awaits the elements while there is demand, and delivers the values.
public struct AsyncSequencePublisher<Elements: AsyncSequence & Sendable>: _DirectPublisher, Sendable {
  /// The output type.
  public typealias Output = Elements.Element

  /// The failure type; `Never` if the sequence doesn't throw.
  public typealias Failure = Elements.Failure

  /// The sequence to iterate over.
  public let sequence: Elements

  /// The actor on which the sequence is iterated, or `nil` for none.
  public let isolation: (any Actor)?

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a publisher of the elements of a sequence, iterated on an actor or on none.
  @inlinable
  public init(_ sequence: Elements, isolation: (any Actor)? = nil) where Elements.Element: Sendable {
    self.sequence = sequence
    self.isolation = isolation
  }

  /// Creates a publisher of a sequence that sends its elements, so that they need not be `Sendable`.
  package init(sentBy sequence: Elements, isolation: (any Actor)?) {
    self.sequence = sequence
    self.isolation = isolation
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    let pull = AsyncPull(sequence, isolation: isolation) { event in
      switch event {
      case .value(let element): return downstream.next(element)
      case .end(let completion): downstream.end(completion)
      }
      return .none
    }
    downstream.begin(pull)
    pull.announced()
  }
}

// Safety: the lock protects the state; see `iterator` for the iterator. (`AsyncSequencePublisherThreadTests`)
/// The subscription of an asynchronous sequence: a task awaits elements while there is demand.
///
/// A request starts a task if none is running. Otherwise it only adds to the demand, so no task waits for demand and
/// none has to be woken. The iterator belongs to the task. Only the caller that removes `deliver` from the state ends
/// the subscription.
@usableFromInline
final class AsyncPull<Elements: AsyncSequence & Sendable>: Subscription, OperatorReflectable, @unchecked Sendable {
  @usableFromInline
  enum Event {
    case value(Elements.Element)
    case end(Subscribers.Completion<Elements.Failure>)
  }

  private struct State {
    /// Delivers events to the subscriber, whose type is known where it is created; `nil` after the termination.
    var deliver: ((Event) -> Subscribers.Demand)?
    var demand = Subscribers.Demand.none

    /// The subscription has been delivered, so that values can follow it.
    var isAnnounced = false

    /// A task has been started, or is about to be.
    var isRunning = false

    /// The number of the current run, which distinguishes its task from that of the next run.
    var runs = 0
    var task: Task<Void, Never>?

    /// Begins a run if one is needed, and returns its number.
    mutating func begin() -> Int? {
      guard isAnnounced, !isRunning, deliver != nil, demand > .none else { return nil }
      isRunning = true
      runs += 1
      return runs
    }
  }

  private let sequence: Elements
  private let isolation: (any Actor)?
  private let state: Locked<State>

  // Safety: only the task of the run accesses it, or without a run the thread that takes `deliver`. The lock decides
  // which. (`AsyncSequencePublisherThreadTests`)
  @exclusivity(unchecked)
  nonisolated(unsafe) private var iterator: Elements.AsyncIterator?

  @usableFromInline
  init(_ sequence: Elements, isolation: (any Actor)?, deliver: @escaping (Event) -> Subscribers.Demand) {
    self.sequence = sequence
    self.isolation = isolation
    state = Locked(State(deliver: deliver))
  }

  @usableFromInline
  var description: String { "AsyncSequence" }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { [("sequence", sequence)] }

  @usableFromInline
  func announced() {
    start { $0.isAnnounced = true }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    start { $0.demand += demand }
  }

  @usableFromInline
  func cancel() {
    let (deliver, task, isRunning) = state.withLock { ($0.deliver.take(), $0.task.take(), $0.isRunning) }
    guard deliver != nil else { return }
    task?.cancel()
    if !isRunning { iterator = nil }
  }

  private func start(_ change: (inout State) -> Void) {
    let run = state.withLock { state in
      change(&state)
      return state.begin()
    }
    guard let run else { return }
    let task = Task { await pull(isolation: isolation) }
    let isCancelled = state.withLock { state in
      if state.deliver != nil, state.isRunning, state.runs == run { state.task = task }
      return state.deliver == nil
    }
    if isCancelled { task.cancel() }
  }

  private func pull(isolation: isolated (any Actor)?) async {
    // Performance: moved, not copied. A copy of an iterator that owns an array copies the array at the next element.
    var kept = iterator.take()
    // No iterator is created if the subscription has been cancelled.
    guard state.withLock({ $0.deliver != nil }) else { return }
    var iterator = kept.take() ?? sequence.makeAsyncIterator()
    var left = HandOver.limit
    while true {
      if left == 0 {
        // A sequence of available elements never suspends, and would keep the actor busy until its end.
        left = HandOver.limit
        await Task.yield()
        guard state.withLock({ $0.deliver != nil }) else { return }
      }
      left -= 1
      let result: Result<Elements.Element?, Elements.Failure>
      do throws(Elements.Failure) {
        result = .success(try await iterator.next(isolation: isolation))
      } catch {
        result = .failure(error)
      }
      switch result {
      case .success(let value?):
        guard let deliver = state.withLock({ $0.deliver }) else { return }
        let more = deliver(.value(value))
        let (isTerminated, isEnough) = state.withLock { state in
          state.demand = state.demand - 1 + more
          return (state.deliver == nil, state.demand == .none)
        }
        if isTerminated { return }
        if isEnough { return rest(keeping: consume iterator) }
      case .success(nil):
        return end(.finished)
      case .failure(let error):
        return end(.failure(error))
      }
    }
  }

  /// Ends a run, and begins the next if there is demand again.
  private func rest(keeping iterator: consuming Elements.AsyncIterator) {
    self.iterator = consume iterator
    var isTerminated = false
    var task: Task<Void, Never>?
    start { state in
      state.isRunning = false
      isTerminated = state.deliver == nil
      task = state.task.take()
    }
    if isTerminated { self.iterator = nil }
    withExtendedLifetime(task) {}
  }

  /// Completes the subscription, unless it has been cancelled.
  private func end(_ completion: Subscribers.Completion<Elements.Failure>) {
    let (deliver, task) = state.withLock { ($0.deliver.take(), $0.task.take()) }
    _ = deliver?(.end(completion))
    withExtendedLifetime(task) {}
  }
}

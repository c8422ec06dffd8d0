extension AsyncSequence where Self: Sendable {
  /// The elements as a publisher.
  ///
  /// - Demand: the iterator advances once for each requested value, without lookahead. The completion is therefore
  ///   found only by a request beyond the last element.
  /// - Completion and cancellation: finishes when the sequence ends. An error that the sequence throws is the failure.
  ///   A cancellation cancels the task that awaits an element, and releases the iterator.
  /// - Threading: each subscriber has an iterator of its own, which a task awaits outside of any actor while there is
  ///   demand; values come where that task runs, and no thread is blocked.
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
  /// - Threading: each subscriber has an iterator of its own, which a task on the actor awaits while there is demand;
  ///   values come on the actor. After 200 values the task yields, so that other work on the actor has its turn.
  @inlinable
  public func publisher(isolation: any Actor) -> AsyncSequencePublisher<Self> {
    AsyncSequencePublisher(self, isolation: isolation)
  }
}

/// The elements of an asynchronous sequence.
///
/// - Demand: one element is pulled for each value that is asked for, and never more.
/// - Completion and cancellation: ends as the sequence does. A cancel cancels the task that awaits an element.
/// - Threading: a task awaits the elements while there is demand; values come where it runs.
public struct AsyncSequencePublisher<Elements: AsyncSequence & Sendable>: _DirectPublisher, Sendable {
  /// The output type.
  public typealias Output = Elements.Element

  /// The type of the failure; `Never` if the sequence doesn't throw.
  public typealias Failure = Elements.Failure

  /// The sequence that is iterated.
  public let sequence: Elements

  /// The actor on which it is iterated, if it is one.
  public let isolation: (any Actor)?

  @usableFromInline
  package let place = Place()

  /// Makes a publisher of the elements of a sequence, iterated on an actor or on none.
  @inlinable
  public init(_ sequence: Elements, isolation: (any Actor)? = nil) {
    self.sequence = sequence
    self.isolation = isolation
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
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

// Safety: the state is behind the lock; of the iterator see there. (`AsyncSequencePublisherThreadTests`)
/// The subscription of an asynchronous sequence: a task pulls elements as long as there is demand.
///
/// A request that finds no task starts one; any other only adds to the demand. So nothing waits for demand, and there is
/// nothing to wake up. The iterator belongs to the task. Whoever takes `deliver` out of the state ends it, and nobody
/// else.
@usableFromInline
final class AsyncPull<Elements: AsyncSequence & Sendable>: Subscription, Described, @unchecked Sendable {
  @usableFromInline
  enum Event {
    case value(Elements.Element)
    case end(Subscribers.Completion<Elements.Failure>)
  }

  private struct State {
    /// What hands events to the subscriber, formed where its type is known; nothing once it is over.
    var deliver: ((Event) -> Subscribers.Demand)?
    var demand = Subscribers.Demand.none

    /// The subscription has been handed over, so that values may follow it.
    var isAnnounced = false

    /// A task has been started, or is about to be.
    var isRunning = false

    /// Tells the task of one run from that of the next.
    var runs = 0
    var task: Task<Void, Never>?

    /// Begins a run, if one is needed.
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

  // Safety: only the task of the run accesses it, or without a run the thread that takes `deliver`. The lock decides which.
  // (`AsyncSequencePublisherThreadTests`)
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
  var reflected: [Mirror.Child] { [("sequence", sequence)] }

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
    // It is moved, not copied: a copy of an iterator that owns an array copies the array at the next element.
    var kept = iterator.take()
    // Nobody makes an iterator for one who has left already.
    guard state.withLock({ $0.deliver != nil }) else { return }
    var iterator = kept.take() ?? sequence.makeAsyncIterator()
    var left = HandOver.limit
    while true {
      if left == 0 {
        // A sequence whose elements are there suspends nowhere, so the actor's other work would have to wait for its end.
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
        let (isOver, isEnough) = state.withLock { state in
          state.demand = state.demand - 1 + more
          return (state.deliver == nil, state.demand == .none)
        }
        if isOver { return }
        if isEnough { return rest(keeping: consume iterator) }
      case .success(nil):
        return end(.finished)
      case .failure(let error):
        return end(.failure(error))
      }
    }
  }

  /// Ends a run, and begins the next if demand has come meanwhile.
  private func rest(keeping iterator: consuming Elements.AsyncIterator) {
    self.iterator = consume iterator
    var isOver = false
    var task: Task<Void, Never>?
    start { state in
      state.isRunning = false
      isOver = state.deliver == nil
      task = state.task.take()
    }
    if isOver { self.iterator = nil }
    withExtendedLifetime(task) {}
  }

  /// Ends it, unless somebody has done so.
  private func end(_ completion: Subscribers.Completion<Elements.Failure>) {
    let (deliver, task) = state.withLock { ($0.deliver.take(), $0.task.take()) }
    _ = deliver?(.end(completion))
    withExtendedLifetime(task) {}
  }
}

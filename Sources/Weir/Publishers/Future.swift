import Synchronization

/// A publisher of one value that comes later, or of a failure.
///
///     promise                  ---7   --
///     Future { promise = $0 }  ---(7|)
///     later                    ----   -(^7|)
///
/// - Demand: the value waits for each subscriber's first request; a failure doesn't.
/// - Completion and cancellation: every subscriber gets the one result, early or late. The work is not cancelled: it
///   began when the future was made.
/// - Threading: the closure runs at once, in the initialiser. The promise may be called on any thread; the first call
///   counts, and delivers there.
public final class Future<Output, Failure: Error>: Publisher {
  /// What the closure calls with the result.
  public typealias Promise = (Result<Output, Failure>) -> Void

  @usableFromInline
  struct State {
    var result: Result<Output, Failure>?

    /// Who came before the result, by order of arrival.
    var waiting: [Int: FutureMember<Output, Failure>] = [:]

    var arrivals = 0
  }

  @usableFromInline
  let state = Locked(State())

  @usableFromInline
  package let place = Place()

  /// Makes a future and begins its work.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.fulfill($0) }
  }

  func fulfill(_ result: Result<Output, Failure>) {
    let waiting = state.withLock { state -> [Int: FutureMember<Output, Failure>]? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiting = [:] }
      return state.waiting
    }
    guard let waiting else {
      if case .failure(let error) = result { Reports.late(Subscribers.Completion.failure(error)) }
      return
    }
    for (_, member) in waiting.sorted(by: { $0.key < $1.key }) { member.fulfill(result) }
  }

  /// Attaches a subscriber.
  @inlinable
  @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let member = FutureSubscription(self, downstream: subscriber)
    let result = register(member)
    subscriber.receive(subscription: member)
    member.announced(result)
  }

  /// Takes in a member, unless the result is there.
  @usableFromInline
  func register(_ member: FutureMember<Output, Failure>) -> Result<Output, Failure>? {
    state.withLock { state in
      if let result = state.result { return result }
      member.arrival = state.arrivals
      state.waiting[state.arrivals] = member
      state.arrivals += 1
      return nil
    }
  }

  func remove(_ member: FutureMember<Output, Failure>) {
    guard let arrival = member.arrival else { return }
    let released = state.withLock { $0.waiting.removeValue(forKey: arrival) }
    withExtendedLifetime(released) {}
  }
}

/// One subscriber of a future.
///
/// Whoever moves its state to `over` may touch the downstream, and nobody else.
@usableFromInline
class FutureMember<Output, Failure: Error>: Subscription, Described {
  struct State {
    /// The subscription has been handed over, so that something may follow it.
    var isAnnounced = false
    var isAsked = false
    var isOver = false

    /// The subscriber has been let go of.
    var isReleased = false
    var result: Result<Output, Failure>?

    /// The result, if it is time to deliver it: then this is over.
    mutating func takeResult() -> Result<Output, Failure>? {
      guard isAnnounced, !isOver, let result else { return nil }
      if case .success = result, !isAsked { return nil }
      isOver = true
      return result
    }
  }

  private let future: Future<Output, Failure>
  private let state = Locked(State())
  private let deliver: (FutureMember, Result<Output, Failure>?) -> Void

  /// Written before the future knows this member, and read after.
  @usableFromInline
  final var arrival: Int?

  @usableFromInline
  init(
    _ future: Future<Output, Failure>, deliver: @escaping (FutureMember, Result<Output, Failure>?) -> Void
  ) {
    self.future = future
    self.deliver = deliver
  }

  @usableFromInline
  var description: String { "Future" }

  @usableFromInline
  final var reflected: [Mirror.Child] {
    let (isReleased, isAsked) = state.withLock { ($0.isReleased, $0.isAsked) }
    let parent = isReleased ? nil : future
    return [
      ("parent", orNil(parent)), ("downstream", orNil(isReleased ? nil : downstreamType)), ("hasAnyDemand", isAsked),
      ("subject", orNil(parent)),
    ]
  }

  /// The subscriber itself is the business of whoever delivers to it.
  @usableFromInline
  var downstreamType: any Any.Type { Never.self }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    advance { $0.isAsked = true }
  }

  @usableFromInline
  final func cancel() {
    let (wasOver, released) = state.withLock { state in
      defer { state.isOver = true }
      return (state.isOver, state.result.take())
    }
    withExtendedLifetime(released) {}
    if wasOver {
      isCancelled = true
    } else {
      future.remove(self)
      finish(nil)
    }
  }

  /// Cancelled in the middle of the delivery, on its thread; a cancel from another thread may come too late for it.
  @usableFromInline
  final var isCancelled: Bool {
    get { cancelled.load(ordering: .relaxed) }
    set { cancelled.store(newValue, ordering: .relaxed) }
  }

  private let cancelled = Atomic<Bool>(false)

  @usableFromInline
  final func announced(_ result: Result<Output, Failure>?) {
    advance { state in
      state.isAnnounced = true
      if let result { state.result = result }
    }
  }

  final func fulfill(_ result: Result<Output, Failure>) {
    advance { $0.result = result }
  }

  private func advance(_ change: (inout State) -> Void) {
    let result = state.withLock { state in
      change(&state)
      return state.takeResult()
    }
    if let result { finish(result) }
  }

  private func finish(_ result: Result<Output, Failure>?) {
    deliver(self, result)
    state.withLock { $0.isReleased = true }
  }
}

/// A member that knows its subscriber.
@usableFromInline
final class FutureSubscription<Downstream: Subscriber>: FutureMember<Downstream.Input, Downstream.Failure> {
  @usableFromInline
  override var downstreamType: any Any.Type { Downstream.self }

  // Touched by the one who ended the member.
  @usableFromInline
  @exclusivity(unchecked)
  var downstream: Downstream?

  @inlinable
  init(_ future: Future<Downstream.Input, Downstream.Failure>, downstream: Downstream) {
    self.downstream = downstream
    super.init(future) { member, result in
      let member = unsafeDowncast(member, to: FutureSubscription.self)
      guard let downstream = member.downstream.take(), let result else { return }
      switch result {
      case .success(let value):
        _ = downstream.receive(value)
        if !member.isCancelled { downstream.receive(completion: .finished) }
      case .failure(let error):
        downstream.receive(completion: .failure(error))
      }
    }
  }
}

// Sendable because the result and those who wait for it are behind a lock.
extension Future: @unchecked Sendable where Output: Sendable {}

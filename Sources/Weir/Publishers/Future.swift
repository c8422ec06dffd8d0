import Synchronization

/// A publisher of one value or failure that is determined later.
///
///     promise                  ---7   --
///     Future { promise = $0 }  ---(7|)
///     later                    ----   -(^7|)
///
/// - Demand: the value waits for each subscriber's first request. A failure needs no demand.
/// - Completion and cancellation: every subscriber receives the one result, whether it attaches before or after it. A
///   cancellation does not stop the work, which began when the future was created.
/// - Threading: the closure runs immediately, in the initializer. The promise can be called on any thread. The first
///   call determines the result, and delivers it on that thread. A subscriber that requests the value later, or
///   subscribes later, receives the result on the thread on which it does so.
public final class Future<Output, Failure: Error>: _DirectPublisher {
  /// The type of the closure that receives the result, once.
  ///
  /// The closure that the initializer passes is `@Sendable` if the output is.
  public typealias Promise = (Result<Output, Failure>) -> Void

  @usableFromInline
  let state = Locked(FutureState())

  @usableFromInline
  package let assemblySite = AssemblySite()

  @inlinable
  init() {}

  /// Creates a future and begins its work, which doesn't leave the caller's isolation if the values aren't `Sendable`.
  @inlinable
  public convenience init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    self.init()
    attemptToFulfill { self.fulfill($0) }
  }

  @inlinable
  func fulfill(_ result: Result<Output, Failure>) {
    let outcome = FutureOutcome(isFailure: result.isFailure) {
      // Safety: a future passes its outcome only to its own members, which have this type. (`FutureTests`)
      _unsafeUncheckedDowncast($0, to: FutureMember<Output, Failure>.self).deliver(result)
    }
    let (isFirst, waiting) = state.withLock { $0.fulfill(outcome) }
    if isFirst {
      waiting.tell(outcome)
    } else if case .failure(let error) = result {
      reportLate(error)
    }
  }

  @inlinable
  func reportLate(_ error: Failure) {
    Reports.late(Subscribers.Completion.failure(error))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    let begin = downstream.begin
    let member = FutureMember(self, downstream: downstream)
    let outcome = state.withLock { $0.outcome(for: member) }
    begin(member)
    member.announced(outcome)
  }
}

/// The result of a future, without its types, which only the members know.
@usableFromInline
struct FutureOutcome {
  @usableFromInline
  let isFailure: Bool

  /// Delivers the result to a member of the future.
  @usableFromInline
  let deliver: (FutureSubscription) -> Void

  @inlinable
  init(isFailure: Bool, deliver: @escaping (FutureSubscription) -> Void) {
    self.isFailure = isFailure
    self.deliver = deliver
  }
}

/// The outcome of a future, and the members that are pending.
///
/// Performance: it is not generic, so the `deinit` of the generic class does not look up its type.
@usableFromInline
struct FutureState {
  @usableFromInline
  var outcome: FutureOutcome?

  private var waiting = PendingMembers()

  @usableFromInline
  init() {}

  /// Stores the first outcome, and returns the pending members.
  @usableFromInline
  mutating func fulfill(_ outcome: FutureOutcome) -> (isFirst: Bool, waiting: PendingMembers) {
    if self.outcome != nil { return (false, PendingMembers()) }
    self.outcome = outcome
    defer { waiting = PendingMembers() }
    return (true, waiting)
  }

  /// Returns the outcome if there is one, and adds a pending member otherwise.
  @usableFromInline
  mutating func outcome(for member: FutureSubscription) -> FutureOutcome? {
    if outcome == nil { waiting.append(member) }
    return outcome
  }

  @usableFromInline
  mutating func remove(_ member: FutureSubscription) -> FutureSubscription? {
    waiting.remove(member)
  }
}

/// The members that attached before the result.
///
/// Performance: often there is only one, and no table is created for it.
@usableFromInline
struct PendingMembers {
  private var first: FutureSubscription?

  /// The further members, by order of arrival.
  private var others: [Int: FutureSubscription]?

  private var arrivals = 0

  mutating func append(_ member: FutureSubscription) {
    member.arrival = arrivals
    if arrivals == 0 { first = member } else { others = others ?? [:]; others?[arrivals] = member }
    arrivals += 1
  }

  mutating func remove(_ member: FutureSubscription) -> FutureSubscription? {
    if first === member { return first.take() }
    return others?.removeValue(forKey: member.arrival)
  }

  @usableFromInline
  func tell(_ outcome: FutureOutcome) {
    first?.fulfilled(outcome)
    guard let others else { return }
    for (_, member) in others.sorted(by: { $0.key < $1.key }) { member.fulfilled(outcome) }
  }
}

/// The subscription of one subscriber of a future.
///
/// Invariant: one thread adds `terminated` to the facts, and only that thread accesses the downstream.
@usableFromInline
class FutureSubscription: Subscription, OperatorReflectable {
  @usableFromInline
  enum Step {
    /// Deliver the outcome.
    case deliver
    /// Leave the future, and release the downstream.
    case leave
  }

  // Performance: no `OptionSet`, because its generic operations cost 25,000 instructions per member in a debug build.
  private struct Facts {
    let rawValue: UInt8

    /// The subscription has been delivered, so that other events can follow it.
    static let announced = Facts(rawValue: 1)
    static let asked = Facts(rawValue: 2)
    static let fulfilled = Facts(rawValue: 4)
    /// The outcome is a failure, which needs no demand.
    static let failed = Facts(rawValue: 8)
    static let terminated = Facts(rawValue: 16)
    static let cancelled = Facts(rawValue: 32)
    /// The downstream has been released.
    static let released = Facts(rawValue: 64)

    /// Whether the outcome must be delivered now; the caller then adds `terminated`.
    var areDue: Bool {
      has(.announced) && has(.fulfilled) && (has(.asked) || has(.failed)) && !has(.terminated)
    }

    func has(_ fact: Facts) -> Bool { rawValue & fact.rawValue != 0 }

    static func | (some: Facts, more: Facts) -> Facts { Facts(rawValue: some.rawValue | more.rawValue) }
  }

  private let facts = Atomic<UInt8>(0)

  private let act: (FutureSubscription, Step) -> Void

  /// Invariant: the future writes it under its lock.
  fileprivate final var arrival = 0

  @usableFromInline
  init(act: @escaping (FutureSubscription, Step) -> Void) {
    self.act = act
  }

  @usableFromInline
  final var description: String { "Future" }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { [] }

  @usableFromInline
  final var isCancelled: Bool { now.has(.cancelled) }

  final var isReleased: Bool { now.has(.released) }

  final var isAsked: Bool { now.has(.asked) }

  private var now: Facts { Facts(rawValue: facts.load(ordering: .acquiring)) }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    add(.asked)
  }

  @usableFromInline
  final func cancel() {
    let before = facts.bitwiseOr((Facts.terminated | .cancelled).rawValue, ordering: .acquiringAndReleasing).oldValue
    if !Facts(rawValue: before).has(.terminated) { end(.leave) }
  }

  @usableFromInline
  final func announced(_ outcome: FutureOutcome?) {
    add(outcome.map { .announced | facts(of: $0) } ?? .announced)
  }

  fileprivate final func fulfilled(_ outcome: FutureOutcome) {
    add(facts(of: outcome))
  }

  private func facts(of outcome: FutureOutcome) -> Facts {
    outcome.isFailure ? .fulfilled | .failed : .fulfilled
  }

  private func end(_ step: Step) {
    act(self, step)
    facts.bitwiseOr(Facts.released.rawValue, ordering: .releasing)
  }

  private func add(_ more: Facts) {
    var found = now
    while true {
      let both = found | more
      let areDue = both.areDue
      let next = areDue ? both | .terminated : both
      let (done, value) = facts.compareExchange(
        expected: found.rawValue, desired: next.rawValue, ordering: .acquiringAndReleasing)
      if done {
        if areDue { end(.deliver) }
        return
      }
      found = Facts(rawValue: value)
    }
  }
}

/// The typed part of a future's subscription.
@usableFromInline
final class FutureMember<Output, Failure: Error>: FutureSubscription {
  @usableFromInline
  let future: Future<Output, Failure>

  /// Invariant: only the thread that adds `terminated` to the facts accesses it.
  @usableFromInline
  var downstream: BorrowedDownstream<Output, Failure>?

  @usableFromInline
  let downstreamType: any Any.Type

  @inlinable
  init(_ future: Future<Output, Failure>, downstream: consuming Downstream<Output, Failure>) {
    self.future = future
    downstreamType = downstream.face.type
    self.downstream = BorrowedDownstream(downstream)
    super.init { member, step in
      // Safety: `act` is called with the object that holds it. (`FutureTests`)
      let member = _unsafeUncheckedDowncast(member, to: FutureMember.self)
      switch step {
      case .deliver: member.future.state.withLock { $0.outcome }?.deliver(member)
      case .leave: member.leave()
      }
    }
  }

  @usableFromInline
  override var mirrorChildren: [Mirror.Child] {
    let parent = isReleased ? nil : future
    return [
      ("parent", unwrappedForMirror(parent)), ("downstream", unwrappedForMirror(isReleased ? nil : downstreamType)),
      ("hasAnyDemand", isAsked),
      ("subject", unwrappedForMirror(parent)),
    ]
  }

  @inlinable
  func deliver(_ result: Result<Output, Failure>) {
    guard let downstream = takeDownstream(&downstream) else { return }
    switch result {
    case .success(let value):
      _ = downstream.functions.next(value)
      if !isCancelled { downstream.functions.end(.finished) }
    case .failure(let error):
      downstream.functions.end(.failure(error))
    }
  }

  @inlinable
  func leave() {
    let member = future.state.withLock { $0.remove(self) }
    withExtendedLifetime(member) { downstream = nil }
  }
}

extension Result {
  @inlinable
  var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}

// Safety: the lock protects the result and the pending members. Only the thread that adds `terminated` to a member's
// facts accesses its downstream. (`FutureTests`, `SourceInterleavingTests/futures`)
extension Future: @unchecked Sendable where Output: Sendable {
  /// Creates a future and begins its work, which may continue on any thread.
  @inlinable
  public convenience init(
    _ attemptToFulfill: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void
  ) {
    self.init()
    attemptToFulfill { self.fulfill($0) }
  }
}

public import Synchronization
public import Weir
import WeirDispatch

// Safety: the state is atomic and decides which thread accesses `downstream`. Only the main actor accesses `index`.
// (`ControlSubscriptionTests`, `ControlInterleavingTests`)
/// The subscription of one subscriber to a control, which is an entry in the control's target list.
///
/// - Demand: accumulates; unlimited demand absorbs all further demand. Each event consumes one.
/// - Cancellation: any thread may call ``cancel()``. It releases the subscriber immediately, or the delivery in
///   progress does. On the main actor, the control removes this target immediately, otherwise after a hop. The target
///   receives no event in between.
///
/// Invariant: one atomic word decides which thread may access the subscriber. It is a delivery that has set
/// `delivering` before `terminated`, or the thread that sets `terminated` while `delivering` is not set.
public final class ControlSubscription<C: Control>: Subscription, @unchecked Sendable {
  /// The bits `terminated` and `delivering`, and above them the demand.
  @usableFromInline
  let state = Atomic<UInt>(0)

  @usableFromInline
  let targets: TargetList

  // Safety: only a delivery that has set `delivering` before `terminated` accesses it, or the thread that sets
  // `terminated` while `delivering` is not set. (`ControlSubscriptionTests`, `ControlInterleavingTests`)
  /// The subscriber, until it is released.
  @usableFromInline
  @exclusivity(unchecked)
  var downstream: BorrowedDownstream<C, Never>?

  @usableFromInline
  @MainActor
  var index: Int?

  @usableFromInline
  init(_ targets: TargetList, downstream: consuming Downstream<C, Never>) {
    self.targets = targets
    self.downstream = BorrowedDownstream(downstream)
  }

  /// Adds to the demand.
  public func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    add(demand)
  }

  /// Releases the subscriber and removes this target from the control's list.
  public func cancel() {
    let before = state.bitwiseOr(Self.terminated, ordering: .acquiringAndReleasing).oldValue
    if before & Self.terminated != 0 { return }
    let released = before & Self.delivering == 0 ? take() : nil
    if isOnMainActor() {
      MainActor.assumeIsolated { targets.remove(self) }
    } else {
      Task { @MainActor in targets.remove(self) }
    }
    // The subscriber is released last, so that user code in its `deinit` finds consistent state.
    withExtendedLifetime(released) {}
  }

  // MARK: The state

  @usableFromInline
  static var terminated: UInt { @inlinable get { 1 } }

  @usableFromInline
  static var delivering: UInt { @inlinable get { 2 } }

  @usableFromInline
  static var one: UInt { @inlinable get { 4 } }

  /// All bits of the demand.
  ///
  /// A larger demand counts as unlimited.
  @usableFromInline
  static var unlimited: UInt { @inlinable get { ~3 } }

  @inlinable
  static func sum(_ state: UInt, _ demand: Subscribers.Demand) -> UInt {
    let (more, overflow) = UInt(bitPattern: demand.max ?? .max).multipliedReportingOverflow(by: one)
    let (sum, carry) = state.addingReportingOverflow(more)
    return overflow || carry ? state | unlimited : sum
  }

  @usableFromInline
  func add(_ demand: Subscribers.Demand) {
    var found = state.load(ordering: .relaxed)
    while found & Self.terminated == 0 {
      let (done, now) = state.compareExchange(
        expected: found, desired: Self.sum(found, demand), ordering: .acquiringAndReleasing)
      if done { return }
      found = now
    }
  }

  // MARK: For the control

  // Not isolated to the main actor, although called only there, because an isolated closure is checked at
  // each call.
  // Safety: the list retains the subscription during the call, and passes the control that it was added to.
  // (`ControlPublisherTests`)
  /// Delivers to a subscription without retaining it, because the control's list retains it during the call.
  @inlinable
  static func deliver(_ control: Control, to subscription: Unmanaged<AnyObject>) {
    subscription._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: Self.self).deliver(unsafeDowncast(control, to: C.self))
    }
  }

  /// Delivers the control downstream if there is demand; otherwise drops the event.
  @inlinable
  func deliver(_ control: C) {
    var found = state.load(ordering: .relaxed)
    while true {
      if found & Self.terminated != 0 { return }
      if found < Self.one { return dropped(control) }
      let spent = found >= Self.unlimited ? found : found - Self.one
      let (done, now) = state.compareExchange(
        expected: found, desired: spent | Self.delivering, ordering: .acquiringAndReleasing)
      if done { break }
      found = now
    }
    let more = downstream?.functions.next(control) ?? .none
    if found & Self.delivering != 0 {
      if more != .none { add(more) }
    } else {
      endDelivery(more)
    }
  }

  /// Reports an event for which there was no demand.
  ///
  /// Acquires the subscriber as a delivery does, because a concurrent cancellation could release it.
  @usableFromInline
  @inline(never)
  func dropped(_ control: C) {
    let before = state.bitwiseOr(Self.delivering, ordering: .acquiringAndReleasing).oldValue
    if before & Self.terminated != 0 { return }
    Reports.dropped(control, by: "ControlPublisher", onTheWayTo: downstream?.shown)
    if before & Self.delivering == 0 { endDelivery(.none) }
  }

  /// Gives up the subscriber again, and releases it here if it was cancelled meanwhile.
  @inlinable
  func endDelivery(_ more: Subscribers.Demand) {
    var found = state.load(ordering: .relaxed)
    while found & Self.terminated == 0 {
      let idle = found & ~Self.delivering
      let (done, now) = state.compareExchange(
        expected: found, desired: more == .none ? idle : Self.sum(idle, more), ordering: .acquiringAndReleasing)
      if done { return }
      found = now
    }
    // No other thread accesses the subscriber from here on, because `delivering` stays set.
    release()
  }

  @usableFromInline
  func take() -> Downstream<C, Never>? {
    guard let taken = takeDownstream(&downstream) else { return nil }
    return taken.functions
  }

  @usableFromInline
  func release() {
    let released = take()
    withExtendedLifetime(released) {}
  }
}

extension ControlSubscription: TargetListener {
  @usableFromInline
  var target: AnyObject? {
    state.load(ordering: .relaxed) & Self.terminated == 0 ? self : nil
  }

  @usableFromInline
  var name: String { description }

  @usableFromInline
  func finish() {
    let before = state.bitwiseOr(Self.terminated, ordering: .acquiringAndReleasing).oldValue
    if before & Self.terminated != 0 { return }
    guard let downstream = downstream?.functions else { return }
    // During a delivery the subscriber is still in use, and that delivery releases it.
    if before & Self.delivering == 0 { release() }
    downstream.end(.finished)
  }
}

extension ControlSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `ControlSubscription`.
  public var description: String { "ControlSubscription" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

  /// `ControlSubscription`.
  public var playgroundDescription: Any { description }
}

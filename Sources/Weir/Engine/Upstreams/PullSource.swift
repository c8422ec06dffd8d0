public import Synchronization

/// The subscription of a source that is pulled, such as a sequence or a single value.
///
/// The delivery loop runs on the thread whose request starts it. A nested request, or one of another thread, only adds
/// to the demand while the loop runs, so nested requests use constant stack space. The same applies to a request of
/// another thread while the subscriber still receives this subscription. Then the thread that delivers the subscription
/// runs the loop.
///
/// A loop delivers at most ``HandOver/limit`` values that other threads have requested. Then the next thread that
/// requests continues, or a thread that is started for this purpose. (`FairnessTests`)
@usableFromInline
final class PullSubscription: Subscription, OperatorReflectable {
  @usableFromInline
  enum Job {
    /// Deliver this many values, and as many as other threads have requested or request concurrently.
    case deliver(UInt)
    /// Return the description and mirror children.
    case show
  }

  @usableFromInline
  static var running: UInt { @inlinable get { 1 } }

  @usableFromInline
  static var terminated: UInt { @inlinable get { 2 } }

  /// The subscriber is receiving this subscription.
  @usableFromInline
  static var announcing: UInt { @inlinable get { 4 } }

  @usableFromInline
  static var demandShift: UInt { @inlinable get { 3 } }

  /// Demand that exceeds the available bits, which is treated as unlimited.
  @usableFromInline
  static var unlimited: UInt { @inlinable get { UInt.max &>> demandShift } }

  /// `running`, `terminated`, `announcing`, and above them the demand of other threads that the loop has not taken.
  @usableFromInline
  let state = Atomic<UInt>(announcing)

  /// The thread that delivers this subscription.
  @usableFromInline
  let announcer = currentThread()

  /// The thread that runs the loop, which a thread may only compare with itself.
  @usableFromInline
  let owner = Atomic<UInt>(0)

  // Safety: only the thread that has set `running` accesses the two properties below, or the one that sets `terminated`
  // at rest. No access lasts while user code runs. (`PullSourceTests`, `SourceInterleavingTests`)

  /// Demand that was requested inside the loop.
  @usableFromInline
  @exclusivity(unchecked)
  var added: UInt = 0

  /// The delivery loop, created where the iterator's type is known.
  ///
  /// It retains the downstream, so it is released at the termination.
  @usableFromInline
  @exclusivity(unchecked)
  var body: ((PullSubscription, Job) -> PullShown?)?

  @usableFromInline
  let name: StaticString

  /// Whether requests for no values are ignored, as by Combine's sequences and recordings, instead of stopping the
  /// program.
  @usableFromInline
  let ignoresNone: Bool

  @inlinable
  init(
    _ name: StaticString, ignoringNone ignoresNone: Bool, body: @escaping (PullSubscription, Job) -> PullShown?
  ) {
    self.name = name
    self.ignoresNone = ignoresNone
    self.body = body
  }

  @usableFromInline
  var description: String {
    shown?.description.map { String(describing: $0) } ?? name.description
  }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { shown?.children ?? [] }

  /// The description and mirror children, unless another thread owns the source or it has been released.
  ///
  /// The source is only copied here. A user's type describes itself after the source has been returned.
  @usableFromInline
  var shown: PullShown? {
    if isEnded { return nil }
    if isDelivering { return body?(self, .show) }
    let found = state.load(ordering: .relaxed) & Self.announcing
    guard found == 0 || announcer == currentThread() else { return nil }
    let (taken, _) = state.compareExchange(
      expected: found, desired: found | Self.running, ordering: .acquiringAndReleasing)
    guard taken else { return nil }
    defer { _ = body?(self, .deliver(0)) }
    return body?(self, .show)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand == .none, ignoresNone { return }
    demand.requirePositive()
    if isDelivering {
      return added = Self.sum(added, demand)
    }
    var found = state.load(ordering: .relaxed)
    while true {
      if found & Self.terminated != 0 { return }
      let isAnnouncing = found & Self.announcing != 0
      let starts = found & Self.running == 0 && !(isAnnouncing && announcer != currentThread())
      let all = Self.sum(found &>> Self.demandShift, demand)
      let flags = found & (Self.running | Self.announcing)
      let (done, now) = state.compareExchange(
        expected: found, desired: starts ? found | Self.running : flags | all &<< Self.demandShift,
        ordering: .acquiringAndReleasing)
      if done {
        if starts { _ = body?(self, .deliver(Self.sum(0, demand))) }
        return
      }
      found = now
    }
  }

  /// Delivers this subscription, and then the values that other threads have requested in the meantime.
  @usableFromInline
  func announce(_ begin: (any Subscription) -> Void) {
    begin(self)
    // No other thread runs the loop before this.
    var found = state.load(ordering: .relaxed)
    while true {
      let isRequested = found & Self.terminated == 0 && found &>> Self.demandShift > 0
      let (done, now) = state.compareExchange(
        expected: found, desired: found & ~Self.announcing | (isRequested ? Self.running : 0),
        ordering: .acquiringAndReleasing)
      if done {
        if isRequested { _ = body?(self, .deliver(0)) }
        return
      }
      found = now
    }
  }

  @usableFromInline
  func cancel() {
    let before = state.bitwiseOr(Self.terminated, ordering: .acquiringAndReleasing).oldValue
    if before & (Self.running | Self.terminated) == 0 { _ = release() }
  }

  @inlinable
  @inline(__always)
  static func sum(_ outstanding: UInt, _ more: Subscribers.Demand) -> UInt {
    // Performance: `min` is a generic call in a debug build.
    more.rawValue < unlimited &- outstanding ? outstanding &+ more.rawValue : unlimited
  }

  /// Whether this thread runs the loop.
  @inlinable
  @inline(__always)
  var isDelivering: Bool {
    owner.load(ordering: .relaxed) == currentThread()
  }

  // MARK: For the loop

  @inlinable
  var isEnded: Bool {
    state.load(ordering: .relaxed) & Self.terminated != 0
  }

  /// Releases the downstream and the source, after the termination.
  @usableFromInline
  func release() -> PullShown? {
    body = nil
    return nil
  }

  /// Records the completion inside the loop; returns `false` if the subscription was cancelled before.
  @inlinable
  func end() -> Bool {
    state.bitwiseOr(Self.terminated, ordering: .relaxed).oldValue & Self.terminated == 0
  }

  /// Takes the demand that was requested inside the loop.
  @inlinable
  @inline(__always)
  func takeAdded() -> UInt {
    defer { added = 0 }
    return added
  }

  /// Takes demand of other threads, at most `allowance`.
  ///
  /// Without demand, the loop is at rest afterwards. It offers demand that exceeds the allowance. After a completion or
  /// a cancellation the result is `nil`. Then the loop still owns the source, and no other thread enters it.
  @inlinable
  func takeDemandOrRest(_ allowance: inout UInt) -> UInt? {
    // Invariant: cleared before the loop is at rest, because the next owner can set it from then on.
    owner.store(0, ordering: .relaxed)
    var found = state.load(ordering: .relaxed)
    while true {
      if found & Self.terminated != 0 { return nil }
      let demand = found &>> Self.demandShift
      let taken = min(demand, allowance)
      let left = demand == Self.unlimited ? demand : demand - taken
      let isAnnouncing = found & Self.announcing
      let (done, now) = state.compareExchange(
        expected: found, desired: left &<< Self.demandShift | isAnnouncing | (taken > 0 ? Self.running : 0),
        ordering: .acquiringAndReleasing)
      if done {
        allowance -= taken
        if taken > 0 {
          owner.store(currentThread(), ordering: .relaxed)
        } else if left > 0, isAnnouncing == 0 {
          handOver()
        }
        return taken
      }
      found = now
    }
  }

  @usableFromInline
  func handOver() {
    HandOver.start { [self] in takeOver() }
  }

  /// Delivers the demand that a loop has offered, unless another thread does.
  private func takeOver() {
    var found = state.load(ordering: .relaxed)
    while found & (Self.running | Self.terminated) == 0, found &>> Self.demandShift > 0 {
      let (done, now) = state.compareExchange(
        expected: found, desired: found | Self.running, ordering: .acquiringAndReleasing)
      if done {
        _ = body?(self, .deliver(0))
        return
      }
      found = now
    }
  }
}

/// The description and mirror children of a pull subscription.
@usableFromInline
struct PullShown {
  /// The description, which replaces the name.
  @usableFromInline
  var description: Any?

  @usableFromInline
  var children: [Mirror.Child]

  @usableFromInline
  init(description: Any? = nil, children: [Mirror.Child]) {
    self.description = description
    self.children = children
  }
}

/// The elements of an iterator that a pull subscription has not delivered.
@usableFromInline
struct PullRest<Iterator: IteratorProtocol> {
  @usableFromInline
  var upcoming: Iterator.Element

  @usableFromInline
  var iterator: Iterator

  @inlinable
  init?(_ iterator: Iterator) {
    self.iterator = iterator
    guard let first = self.iterator.next() else { return nil }
    upcoming = first
  }
}

extension Downstream {
  /// Attaches to the elements of an iterator.
  ///
  /// Without elements it completes immediately, without demand.
  @inlinable
  static func pull<Iterator: IteratorProtocol<Input>>(
    _ name: StaticString, from iterator: Iterator, to downstream: consuming Downstream,
    showing shown: @escaping () -> PullShown
  ) {
    var rest = PullRest(iterator)
    if rest == nil { return complete(downstream, with: .finished) }
    let (next, end) = (downstream.next, downstream.end)
    let subscription = PullSubscription(name, ignoringNone: true) { source, job in
      guard case .deliver(let demand) = job else { return shown() }
      var budget = demand
      var allowance = UInt(HandOver.limit)
      if budget == 0 {
        guard let taken = source.takeDemandOrRest(&allowance) else { return source.release() }
        if taken == 0 { return nil }
        budget = taken
      }
      source.owner.store(currentThread(), ordering: .relaxed)
      // Performance: moved, not copied, because an iterator can own an array.
      guard var current = rest.take() else { return nil }
      while true {
        assertNoLockIsHeld()
        let more = next(current.upcoming)
        if source.isEnded { return source.release() }
        guard let following = current.iterator.next() else {
          if source.end() { end(.finished) }
          return source.release()
        }
        current.upcoming = following
        // The iterator, or the `deinit` of the previous value, can have cancelled.
        if source.isEnded { return source.release() }
        if budget == PullSubscription.unlimited { continue }
        budget = PullSubscription.sum(budget - 1, more)
        if budget == 0 { budget = source.takeAdded() }
        if budget > 0 { continue }
        // Stored before the loop can be at rest, because the next request reads it.
        rest = current
        guard let taken = source.takeDemandOrRest(&allowance) else { return source.release() }
        if taken == 0 { return nil }
        budget = taken
        rest = nil
      }
    }
    subscription.announce(downstream.begin)
  }

  /// Attaches to a single value.
  ///
  /// Performance: without an iterator, the whole state is in one closure context. That saves a subscription an
  /// allocation and four exclusivity checks, 550 of 3,800 instructions.
  @inlinable
  static func pull(_ name: StaticString, value: Input, to downstream: consuming Downstream) {
    if downstream.face.takesScalars { return send(value, to: downstream) }
    let (next, end) = (downstream.next, downstream.end)
    let subscription = PullSubscription(name, ignoringNone: false) { source, job in
      guard case .deliver(let demand) = job else {
        return PullShown(children: source.isDelivering ? [] : [(nil, value)])
      }
      if demand == 0 {
        var allowance: UInt = 1
        guard let taken = source.takeDemandOrRest(&allowance) else { return source.release() }
        if taken == 0 { return nil }
      }
      source.owner.store(currentThread(), ordering: .relaxed)
      assertNoLockIsHeld()
      _ = next(value)
      if source.end() { end(.finished) }
      return source.release()
    }
    subscription.announce(downstream.begin)
  }

  /// Sends a single value, without a request, to a downstream that takes scalars.
  @inlinable
  static func send(_ value: Input, to downstream: borrowing Downstream) {
    let subscription = ScalarSubscription()
    downstream.begin(subscription)
    if subscription.isRefused.load(ordering: .relaxed) { return }
    assertNoLockIsHeld()
    _ = downstream.next(value)
    if !subscription.isRefused.load(ordering: .relaxed) { downstream.end(.finished) }
  }
}

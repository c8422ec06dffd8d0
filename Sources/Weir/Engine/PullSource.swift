public import Synchronization

/// The subscription of a source that is pulled: the one mechanism behind sequences and single values.
///
///     announcing ──announced──▶ at rest ──request──▶ running ──no demand──▶ at rest
///         │                        ▲                    │
///         └─ request of the        └── offered ◀────────┘ enough delivered for other threads
///            same thread: runs
///
/// The loop that delivers runs in the thread whose request found it at rest. A request that comes while it runs, from
/// inside a delivery or from another thread, only adds to the demand, so nested requests take no stack. The content
/// belongs to whoever runs the loop.
///
/// While the subscriber receives the subscription, requests of other threads wait until it has returned: otherwise two
/// threads would be in the subscriber at once.
///
/// A loop delivers at most ``HandOver/limit`` values that other threads have requested. Then it offers the rest: the next
/// thread that requests goes on, or a task does. (`PullSourceTests`)
@usableFromInline
final class PullSubscription: Tailed, Subscription, Described {
  @usableFromInline
  enum Job {
    /// Deliver this many values, and then those that are requested meanwhile, or that other threads have requested before.
    case deliver(UInt)
    case release
  }

  @usableFromInline
  static var running: UInt { @inlinable get { 1 } }

  @usableFromInline
  static var ended: UInt { @inlinable get { 2 } }

  /// The subscriber is receiving the subscription.
  @usableFromInline
  static var announcing: UInt { @inlinable get { 4 } }

  @usableFromInline
  static var demandShift: UInt { @inlinable get { 3 } }

  @usableFromInline
  static var flags: UInt { @inlinable get { running | ended | announcing } }

  /// Demand that no longer fits: as good as unlimited.
  @usableFromInline
  static var unlimited: UInt { @inlinable get { UInt.max >> demandShift } }

  deinit {
    // Whoever ended it has released the content.
    if !isEnded { core.pointee.body(self, .release) }
    core.deinitialize(count: 1)
  }

  @usableFromInline
  var description: String {
    shown?.description.map { String(describing: $0) } ?? core.pointee.name.description
  }

  @usableFromInline
  var reflected: [Mirror.Child] { shown?.children ?? [] }

  /// What is shown of the content, unless another thread has it in its hands or it is gone.
  ///
  /// The content is only copied here: what a user's type does to describe itself is done when it has been given back.
  @usableFromInline
  var shown: PullShown? {
    if isEnded { return nil }
    if core.pointee.owner.load(ordering: .relaxed) == currentThread() { return core.pointee.show(self) }
    guard take(if: { !isServed($0) }) else { return nil }
    defer { core.pointee.body(self, .deliver(0)) }
    return core.pointee.show(self)
  }

  /// Begins to run, if a condition holds for the state.
  private func take(if condition: (UInt) -> Bool) -> Bool {
    var found = core.pointee.state.load(ordering: .relaxed)
    while condition(found), found & Self.ended == 0 {
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: found | Self.running, ordering: .acquiringAndReleasing)
      if done { return true }
      found = now
    }
    return false
  }

  /// Whether the loop runs, or will run when the subscriber has received the subscription on another thread.
  @inlinable
  func isServed(_ state: UInt) -> Bool {
    state & Self.running != 0 || state & Self.announcing != 0 && core.pointee.announcer != currentThread()
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand == .none, core.pointee.ignoresNone { return }
    demand.requirePositive()
    if core.pointee.owner.load(ordering: .relaxed) == currentThread() {
      return core.pointee.added = Self.sum(core.pointee.added, demand)
    }
    var found = core.pointee.state.load(ordering: .relaxed)
    while true {
      if found & Self.ended != 0 { return }
      // Invariant: what is left in the state has been requested by other threads than the one that runs the loop.
      let isServed = isServed(found)
      let desired =
        isServed
        ? Self.sum(found >> Self.demandShift, demand) << Self.demandShift | found & Self.flags : found | Self.running
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done {
        if !isServed { core.pointee.body(self, .deliver(Self.sum(0, demand))) }
        return
      }
      found = now
    }
  }

  @usableFromInline
  func cancel() {
    let before = core.pointee.state.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue
    if before & (Self.running | Self.ended) == 0 { core.pointee.body(self, .release) }
  }

  /// The subscriber has received the subscription: serves what other threads have requested meanwhile.
  @inlinable
  @inline(__always)
  func announced() {
    if !isEnded { endAnnouncing() }
  }

  @usableFromInline
  func endAnnouncing() {
    var found = core.pointee.state.load(ordering: .relaxed)
    while found & Self.ended == 0 {
      let isAwaited = found >> Self.demandShift > 0
      let desired = found & ~Self.announcing | (isAwaited ? Self.running : 0)
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done {
        if isAwaited { core.pointee.body(self, .deliver(0)) }
        return
      }
      found = now
    }
  }

  // Safety: `PullContent.subscription` puts a core behind every subscription. Its atomics may be accessed by any
  // thread, `added` and the content only by the one that has set `running`. (`PullSourceTests`,
  // `SourceInterleavingTests`)
  @inlinable
  @inline(__always)
  var core: UnsafeMutablePointer<PullCore> { core(as: PullCore.self) }

  @inlinable
  @inline(__always)
  static func sum(_ outstanding: UInt, _ more: Subscribers.Demand) -> UInt {
    min(outstanding &+ min(more.rawValue, unlimited), unlimited)
  }

  // MARK: For the loop

  @inlinable
  var isEnded: Bool {
    core.pointee.state.load(ordering: .relaxed) & Self.ended != 0
  }

  /// Marks the end from inside the loop; false if it was cancelled before.
  @inlinable
  func end() -> Bool {
    core.pointee.state.bitwiseOr(Self.ended, ordering: .relaxed).oldValue & Self.ended == 0
  }

  /// Takes the demand that has come from inside the loop.
  @inlinable
  @inline(__always)
  func takeAdded() -> UInt {
    defer { core.pointee.added = 0 }
    return core.pointee.added
  }

  /// Takes the demand that other threads have left since the last time, `left` at most; if there is none the loop is at
  /// rest from here on.
  ///
  /// What is more than `left` is offered. After the end the result is `nil`, and the loop stays in charge of what it owns,
  /// because no thread enters it any more.
  @inlinable
  func takeDemandOrRest(_ left: inout UInt) -> UInt? {
    // Once at rest, the next owner may be here already.
    core.pointee.owner.store(0, ordering: .relaxed)
    var found = core.pointee.state.load(ordering: .relaxed)
    while true {
      if found & Self.ended != 0 { return nil }
      let waiting = found >> Self.demandShift
      let taken = min(waiting, left)
      let rest = waiting == Self.unlimited && taken < waiting ? waiting : waiting - taken
      let desired = rest << Self.demandShift | found & Self.announcing | (taken > 0 ? Self.running : 0)
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done {
        left -= taken
        if taken > 0 {
          core.pointee.owner.store(currentThread(), ordering: .relaxed)
        } else if rest > 0 {
          offer()
        }
        return taken
      }
      found = now
    }
  }

  @usableFromInline
  func offer() {
    HandOver.start { [self] in takeOffer() }
  }

  /// Goes on with what a loop has offered, unless another thread does.
  ///
  /// While the subscription is announced, the announcing thread does.
  private func takeOffer() {
    if take(if: { !isServed($0) && $0 >> Self.demandShift > 0 }) { core.pointee.body(self, .deliver(0)) }
  }
}

/// What a pull subscription knows of itself.
@usableFromInline
struct PullCore: ~Copyable {
  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("PullSubscription")
  #endif

  /// `running`, `ended`, `announcing`, and above them the demand that the loop has not taken yet.
  @usableFromInline
  let state = Atomic<UInt>(PullSubscription.announcing)

  /// The thread on which the subscriber receives the subscription.
  @usableFromInline
  let announcer = currentThread()

  /// The thread that runs the loop, which alone may ask whether it is itself.
  @usableFromInline
  let owner = Atomic<UInt>(0)

  /// Demand that has come from inside the loop.
  @usableFromInline
  var added: UInt = 0

  @usableFromInline
  let body: (PullSubscription, PullSubscription.Job) -> Void

  @usableFromInline
  let show: (PullSubscription) -> PullShown

  @usableFromInline
  let name: StaticString

  /// A request for nothing is no mistake.
  @usableFromInline
  let ignoresNone: Bool

  @inlinable
  init(
    name: StaticString, ignoringNone ignoresNone: Bool,
    body: @escaping (PullSubscription, PullSubscription.Job) -> Void,
    show: @escaping (PullSubscription) -> PullShown
  ) {
    self.name = name
    self.ignoresNone = ignoresNone
    self.body = body
    self.show = show
  }
}

/// What a pull subscription shows.
@usableFromInline
struct PullShown {
  /// Whose description takes the place of the name.
  let description: Any?
  let children: [Mirror.Child]
}

/// What is kept of a source for a pull subscription to show.
@usableFromInline
protocol PullOrigin<Element> {
  associatedtype Element

  /// Whether a request for nothing is ignored, as it is by Combine's sequences and recordings.
  static var ignoresNone: Bool { get }

  func shown(upcoming: Element?) -> PullShown
}

extension PullOrigin {
  @inlinable
  static var ignoresNone: Bool { true }
}

/// A source that shows the value that is still to come.
@usableFromInline
@frozen
struct UpcomingValue<Element>: PullOrigin {
  @inlinable
  static var ignoresNone: Bool { false }

  @inlinable
  init() {}

  @usableFromInline
  func shown(upcoming: Element?) -> PullShown {
    PullShown(description: nil, children: upcoming.map { [(nil, $0)] } ?? [])
  }
}

/// A sequence, which is what the subscription shows, as in Combine.
@usableFromInline
@frozen
struct WholeSequence<Elements: Sequence>: PullOrigin {
  @usableFromInline
  let elements: Elements

  @inlinable
  init(_ elements: Elements) {
    self.elements = elements
  }

  @usableFromInline
  func shown(upcoming: Elements.Element?) -> PullShown {
    PullShown(description: elements, children: [("sequence", elements)])
  }
}

/// What a pull subscription delivers, and to whom.
@usableFromInline
struct PullContent<Origin: PullOrigin, Iterator: IteratorProtocol, Downstream: Subscriber>: ~Copyable
where Downstream.Input == Iterator.Element, Origin.Element == Iterator.Element {
  @usableFromInline
  let origin: Origin

  @usableFromInline
  var upcoming: Iterator.Element?

  /// The rest of the elements; `nil` while the loop runs.
  ///
  /// The loop moves the iterator out. A copy of an iterator that owns an array would copy the array at the next element.
  @usableFromInline
  var iterator: Iterator?

  @usableFromInline
  let held: Held<Downstream>

  /// Puts the content behind a subscription.
  @inlinable
  @inline(__always)
  static func subscription(
    _ name: StaticString, of origin: Origin, first: Iterator.Element, rest: consuming Iterator, downstream: Downstream
  ) -> PullSubscription {
    let core = PullCore(name: name, ignoringNone: Origin.ignoresNone) { source, job in
      switch job {
      case .deliver(let demand): deliver(demand, from: source)
      case .release: release(source)
      }
    } show: { source in
      let content = source.content(as: Self.self, behind: PullCore.self)
      return content.pointee.origin.shown(upcoming: content.pointee.upcoming)
    }
    return .make(core, content: Self(origin: origin, upcoming: first, iterator: rest, downstream: downstream))
  }

  @inlinable
  @inline(__always)
  init(origin: Origin, upcoming: Iterator.Element, iterator: Iterator, downstream: Downstream) {
    self.origin = origin
    self.upcoming = upcoming
    self.iterator = iterator
    held = Held(downstream)
  }

  @inlinable
  @inline(__always)
  static func deliver(_ demand: UInt, from source: PullSubscription) {
    source.core.pointee.owner.store(currentThread(), ordering: .relaxed)
    let content = source.content(as: Self.self, behind: PullCore.self)
    var budget = demand
    var left = UInt(HandOver.limit)
    if budget == 0 {
      guard let taken = source.takeDemandOrRest(&left) else { return release(source) }
      if taken == 0 { return }
      budget = taken
    }
    while var value = content.pointee.upcoming.take(), var rest = content.pointee.iterator.take() {
      while true {
        let more = content.pointee.held.receive(value)
        if source.isEnded { return release(source) }
        guard let following = rest.next() else {
          if source.end() { content.pointee.held.downstream.receive(completion: .finished) }
          return release(source)
        }
        value = following
        // The iterator may have cancelled, and the `deinit` of the value before.
        if source.isEnded { return release(source) }
        if budget == PullSubscription.unlimited { continue }
        budget = PullSubscription.sum(budget - 1, more)
        if budget == 0 { budget = source.takeAdded() }
        if budget == 0 { break }
      }
      // Before the loop may come to rest, because the thread that enters it next reads them.
      content.pointee.upcoming = value
      content.pointee.iterator = consume rest
      guard let taken = source.takeDemandOrRest(&left) else { return release(source) }
      if taken == 0 { return }
      budget = taken
    }
  }

  @inlinable
  @inline(__always)
  static func release(_ source: PullSubscription) {
    source.content(as: Self.self, behind: PullCore.self).deinitialize(count: 1)
  }
}

extension Subscriber {
  /// Subscribes to the elements of an iterator.
  ///
  /// Without any it finishes at once, whatever the demand.
  @inlinable
  @inline(__always)
  func pull<Iterator: IteratorProtocol, Origin: PullOrigin>(
    _ name: StaticString, from iterator: consuming Iterator, of origin: Origin
  ) where Input == Iterator.Element, Origin.Element == Iterator.Element {
    var rest = consume iterator
    guard let first = rest.next() else { return receive(emptyWith: .finished) }
    let source = PullContent.subscription(name, of: origin, first: first, rest: consume rest, downstream: self)
    receive(subscription: source)
    source.announced()
  }

  /// Subscribes to the elements of an iterator that has nothing to show but the one that is to come.
  @inlinable
  @inline(__always)
  func pull<Iterator: IteratorProtocol>(
    _ name: StaticString, from iterator: consuming Iterator
  ) where Input == Iterator.Element {
    pull(name, from: consume iterator, of: UpcomingValue())
  }

  /// Hands over an empty subscription and ends at once.
  @inlinable
  func receive(emptyWith completion: Subscribers.Completion<Failure>) {
    receive(subscription: Subscriptions.empty)
    receive(completion: completion)
  }
}

extension Subscribers.Demand {
  /// Ends the program, with the message in optimised builds too, if this is no demand at all.
  @usableFromInline
  func requirePositive() {
    guard self == .none else { return }
    fatalError("A request must ask for at least one value: leave it out instead of asking for none.")
  }
}

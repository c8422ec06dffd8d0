public import Synchronization

/// The subscription of a source that is pulled: the one mechanism behind sequences and single values.
///
/// The loop that delivers runs in the thread whose request found it at rest. A request that comes while it runs, from
/// inside a delivery or from another thread, only adds to the demand, so nested requests take no stack. The content
/// belongs to whoever runs the loop.
@usableFromInline
final class PullSubscription: Tailed, Subscription, Described {
  @usableFromInline
  enum Job {
    /// Deliver so many values, and as many as are asked for meanwhile.
    case deliver(UInt)
    case release
  }

  @usableFromInline
  static var running: UInt { @inlinable get { 1 } }

  @usableFromInline
  static var ended: UInt { @inlinable get { 2 } }

  @usableFromInline
  static var demandShift: UInt { @inlinable get { 2 } }

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
    let (taken, _) = core.pointee.state.compareExchange(
      expected: 0, desired: Self.running, ordering: .acquiringAndReleasing)
    guard taken else { return nil }
    defer { giveBack() }
    return core.pointee.show(self)
  }

  /// Does what was asked of the loop while it was taken for something else.
  private func giveBack() {
    switch takeDemandOrRest() {
    case nil: core.pointee.body(self, .release)
    case 0: break
    case let demand?: core.pointee.body(self, .deliver(demand))
    }
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
      // At rest there is no demand that has not been taken.
      let isAtRest = found & Self.running == 0
      let waiting = isAtRest ? 0 : Self.sum(found >> Self.demandShift, demand)
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: waiting << Self.demandShift | Self.running, ordering: .acquiringAndReleasing)
      if done {
        if isAtRest { core.pointee.body(self, .deliver(Self.sum(0, demand))) }
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

  /// Takes the demand that came since the last time; if there is none the loop is at rest from here on.
  ///
  /// After the end it is `nil`, and the loop stays in charge of what it owns, because nobody enters it any more.
  @inlinable
  func takeDemandOrRest() -> UInt? {
    // Once at rest, the next owner may be here already.
    core.pointee.owner.store(0, ordering: .relaxed)
    var found = core.pointee.state.load(ordering: .relaxed)
    while true {
      if found & Self.ended != 0 { return nil }
      let demand = found >> Self.demandShift
      let desired = demand == 0 ? 0 : Self.running
      let (done, now) = core.pointee.state.compareExchange(
        expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done {
        if demand > 0 { core.pointee.owner.store(currentThread(), ordering: .relaxed) }
        return demand
      }
      found = now
    }
  }
}

/// What a pull subscription knows of itself.
@usableFromInline
struct PullCore: ~Copyable {
  /// `running`, `ended`, and above them the demand that the loop has not taken yet.
  @usableFromInline
  let state = Atomic<UInt>(0)

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

  @usableFromInline
  var iterator: Iterator

  @usableFromInline
  let held: Held<Downstream>

  /// Puts the content behind a subscription.
  @inlinable
  @inline(__always)
  static func subscription(
    _ name: StaticString, of origin: Origin, first: Iterator.Element, rest: Iterator, downstream: Downstream
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
    guard var value = content.pointee.upcoming.take() else { return }
    var rest = content.pointee.iterator
    var budget = demand
    while true {
      let more = content.pointee.held.receive(value)
      if source.isEnded { return release(source) }
      guard let following = rest.next() else {
        if source.end() { content.pointee.held.downstream.receive(completion: .finished) }
        return release(source)
      }
      if source.isEnded { return release(source) }  // The iterator, too, may be where it is cancelled.
      value = following
      if budget == PullSubscription.unlimited { continue }
      budget = PullSubscription.sum(budget - 1, more)
      if budget == 0 { budget = source.takeAdded() }
      if budget > 0 { continue }
      // Before the loop may come to rest, because whoever enters it next reads them.
      content.pointee.upcoming = value
      content.pointee.iterator = rest
      guard let taken = source.takeDemandOrRest() else { return release(source) }
      if taken == 0 { return }
      budget = taken
      content.pointee.upcoming = nil
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
    _ name: StaticString, from iterator: Iterator, of origin: Origin
  ) where Input == Iterator.Element, Origin.Element == Iterator.Element {
    var rest = iterator
    guard let first = rest.next() else { return receive(emptyWith: .finished) }
    receive(subscription: PullContent.subscription(name, of: origin, first: first, rest: rest, downstream: self))
  }

  /// Subscribes to the elements of an iterator that has nothing to show but the one that is to come.
  @inlinable
  @inline(__always)
  func pull<Iterator: IteratorProtocol>(_ name: StaticString, from iterator: Iterator) where Input == Iterator.Element {
    pull(name, from: iterator, of: UpcomingValue())
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

public import Synchronization

/// The subscription of a source that is pulled: the one mechanism behind sequences and single values.
///
/// The loop that delivers runs in the thread whose request found it at rest. A request that comes while it runs, from
/// inside a delivery or from another thread, only adds to the demand, so nested requests take no stack. Everything but
/// `state` belongs to whoever runs the loop.
///
/// The class itself knows neither the elements nor the subscriber: a call through a generic class's table of methods
/// runs unspecialised, and everything downstream of it too. `body` is a function formed where both types are known.
@usableFromInline
class PullSubscription: Subscription, Described {
  /// `running`, `ended`, and above them the demand that the loop has not taken yet.
  @usableFromInline
  let state = Atomic<UInt>(0)

  @usableFromInline
  let body: (PullSubscription, Job) -> Void

  @usableFromInline
  let name: StaticString

  @usableFromInline
  enum Job {
    case deliver, release
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

  @inlinable
  init(name: StaticString, body: @escaping (PullSubscription, Job) -> Void) {
    self.name = name
    self.body = body
  }

  @usableFromInline
  var description: String { name.description }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    var found = state.load(ordering: .relaxed)
    while true {
      if found & Self.ended != 0 { return }
      let sum = (found >> Self.demandShift) &+ min(demand.rawValue, Self.unlimited)
      let desired = min(sum, Self.unlimited) << Self.demandShift | Self.running
      let (done, now) = state.compareExchange(expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done { break }
      found = now
    }
    if found & Self.running == 0 { body(self, .deliver) }
  }

  @usableFromInline
  final func cancel() {
    let before = state.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue
    if before & (Self.running | Self.ended) == 0 { body(self, .release) }
  }

  // MARK: For the loop

  @inlinable
  final var isEnded: Bool {
    state.load(ordering: .relaxed) & Self.ended != 0
  }

  /// Marks the end from inside the loop; false if it was cancelled before.
  @inlinable
  final func end() -> Bool {
    state.bitwiseOr(Self.ended, ordering: .relaxed).oldValue & Self.ended == 0
  }

  /// Takes the demand that came since the last time; if there is none the loop is at rest from here on.
  ///
  /// After the end it is `nil`, and the loop stays in charge of what it owns, because nobody enters it any more.
  @inlinable
  final func takeDemandOrRest() -> UInt? {
    var found = state.load(ordering: .relaxed)
    while true {
      if found & Self.ended != 0 { return nil }
      let demand = found >> Self.demandShift
      let desired = demand == 0 ? 0 : Self.running
      let (done, now) = state.compareExchange(expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if done { return demand }
      found = now
    }
  }
}

/// A pull subscription to an iterator's elements.
@usableFromInline
final class PullSource<Iterator: IteratorProtocol, Downstream: Subscriber>: PullSubscription
where Downstream.Input == Iterator.Element {
  // The loop that runs owns these; `PullSubscription.state` lets one in at a time.
  @usableFromInline
  @exclusivity(unchecked)
  var iterator: Iterator?

  @usableFromInline
  @exclusivity(unchecked)
  var upcoming: Iterator.Element?

  @usableFromInline
  @exclusivity(unchecked)
  var downstream: Downstream?

  @inlinable
  init(_ name: StaticString, first: Iterator.Element, rest: Iterator, downstream: Downstream) {
    upcoming = first
    iterator = rest
    self.downstream = downstream
    super.init(name: name) { source, job in
      let source = unsafeDowncast(source, to: PullSource.self)
      switch job {
      case .deliver: source.deliver()
      case .release: source.release()
      }
    }
  }

  @inlinable
  func deliver() {
    guard let downstream, var rest = iterator else { return }
    var next = upcoming.take()
    while true {
      guard var budget = takeDemandOrRest() else { return release() }
      if budget == 0 { return }
      while budget > 0 {
        guard let value = next.take() else { return }
        let more = downstream.receive(value)
        if isEnded { return release() }
        next = rest.next()
        if next == nil {
          let finishes = end()
          release()
          if finishes { downstream.receive(completion: .finished) }
          return
        }
        if isEnded { return release() }  // The iterator, too, may be where it is cancelled.
        if budget != Self.unlimited { budget = min(budget - 1 + min(more.rawValue, Self.unlimited), Self.unlimited) }
      }
      // Before the loop may come to rest, because whoever enters it next reads them.
      upcoming = next
      iterator = rest
      next = upcoming
    }
  }

  @inlinable
  func release() {
    iterator = nil
    upcoming = nil
    downstream = nil
  }
}

extension Subscriber {
  /// Subscribes to the elements of an iterator.
  ///
  /// Without any it finishes at once, whatever the demand.
  @inlinable
  @inline(__always)
  func pull<Iterator: IteratorProtocol>(_ name: StaticString, from iterator: Iterator) where Input == Iterator.Element {
    var rest = iterator
    guard let first = rest.next() else { return receive(emptyWith: .finished) }
    receive(subscription: PullSource(name, first: first, rest: rest, downstream: self))
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

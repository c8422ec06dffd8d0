public import Synchronization

/// The part of a member that knows no types: its demand, and its place in the hub.
///
/// A call through `any Subscription` would run generic code unspecialized, so the little that needs the types is a function
/// formed where they are known.
@usableFromInline
package class MulticastHandle: Subscription, Described {
  @usableFromInline
  package enum Action {
    /// Deliver what the member has not had and asks for.
    case catchUp
    /// Let go of the subscriber.
    case release
  }

  @usableFromInline
  final let hub: MulticastHub

  @usableFromInline
  final let act: (MulticastHandle, Action) -> Void

  /// What has been asked for and not been delivered; the sign bit once cancelled or completed.
  @usableFromInline
  final let demand = Atomic<Int>(0)

  // Safety: only the owner of the hub's gate accesses the four properties below. The gate admits one thread, and nested calls
  // of that thread find each of them between two accesses, never in the middle of one. (MulticasterTests, Tests/Safety)

  /// Where it stands in the list of members; -1 when it does not.
  @exclusivity(unchecked)
  final var index = -1

  /// The version of the value that was the latest when it joined.
  @usableFromInline
  @exclusivity(unchecked)
  final var joinedAt = Int.max

  /// The version of the value that it has had.
  @usableFromInline
  @exclusivity(unchecked)
  final var seen = -1

  /// It is getting what it has not had of a history.
  @usableFromInline
  @exclusivity(unchecked)
  final var isFollowing = false

  @usableFromInline
  init(_ hub: MulticastHub, act: @escaping (MulticastHandle, Action) -> Void) {
    self.hub = hub
    self.act = act
  }

  @usableFromInline
  package final var description: String { hub.description }

  @usableFromInline
  package var reflected: [Mirror.Child] { [] }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    if isOver { return }
    add(demand)
    if hub.replays { hub.post { self.act(self, .catchUp) } }
    hub.askUpstreams()
  }

  @usableFromInline
  package final func cancel() {
    guard end() else { return }
    hub.useTurn(hub.takeTurn(for: { self.hub.remove(self) })) { hub.remove(self) }
  }

  @usableFromInline
  final func add(_ more: Subscribers.Demand) {
    var found = demand.load(ordering: .relaxed)
    while found >= 0, found != .max {
      let sum = more == .unlimited ? .max : (Subscribers.Demand.max(found) + more).max ?? .max
      let (done, now) = demand.compareExchange(expected: found, desired: sum, ordering: .relaxed)
      if done { return }
      found = now
    }
  }

  @inlinable
  final func takeOne() -> Bool {
    var found = demand.load(ordering: .relaxed)
    while found > 0 {
      if found == .max { return true }
      let (done, now) = demand.compareExchange(expected: found, desired: found - 1, ordering: .relaxed)
      if done { return true }
      found = now
    }
    return false
  }

  @inlinable
  final var isOver: Bool { demand.load(ordering: .relaxed) < 0 }

  /// True for the one call that ends it.
  @usableFromInline
  final func end() -> Bool {
    demand.bitwiseOr(.min, ordering: .acquiringAndReleasing).oldValue >= 0
  }

  @usableFromInline
  final var hasJoined: Bool { joinedAt != .max }
}

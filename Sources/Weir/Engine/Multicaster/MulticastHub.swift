import Synchronization

/// The part of a multicaster that knows no types: who is a member, and whose turn it is.
///
/// Who owns the gate owns the list of members, so a delivery walks it without a lock and without retaining anyone. What
/// another thread wants done meanwhile waits in the inbox; a send from inside a delivery goes out nested, at once.
/// The list does not change while it is walked: who joins then stands in `newcomers`, who leaves is only marked.
///
/// Performance: a generic class looks its metadata up wherever it isn't specialized, as in each debug build. What is written
/// here never does.
@usableFromInline
package class MulticastHub: CustomStringConvertible {
  @usableFromInline
  final let name: StaticString

  @usableFromInline
  final let gate = Gate()

  /// What waits for the owner.
  @usableFromInline
  final let inbox = Locked<[() -> Void]>([])

  // Safety: the gate's owner alone accesses the variables below. The gate admits one thread, and nested calls of that thread
  // find each of them between two accesses, never in the middle of one. (MulticasterTests, Tests/Safety)

  @usableFromInline
  @exclusivity(unchecked)
  final var members: ContiguousArray<MulticastHandle?> = []

  /// The only member there is, without a count of references: the list keeps it.
  @usableFromInline
  @exclusivity(unchecked)
  final var solo: Unmanaged<MulticastHandle>?

  @usableFromInline
  @exclusivity(unchecked)
  final var newcomers: ContiguousArray<MulticastHandle> = []

  /// Members that left in the middle of a delivery and are let go of after it.
  @usableFromInline
  @exclusivity(unchecked)
  final var leaving: ContiguousArray<MulticastHandle> = []

  /// How many of `members` have left.
  @exclusivity(unchecked)
  private final var gone = 0

  /// How many deliveries of this thread are under way, one inside the other.
  @usableFromInline
  @exclusivity(unchecked)
  final var depth = 0

  /// There are newcomers, or members that have left.
  @usableFromInline
  @exclusivity(unchecked)
  final var isUntidy = false

  /// The completion has been sent.
  @usableFromInline
  @exclusivity(unchecked)
  final var isComplete = false

  /// The number of the latest value.
  @usableFromInline
  @exclusivity(unchecked)
  final var version = 0

  /// Whether a member that asks gets what it has not had.
  @usableFromInline
  final let replays: Bool

  /// How many values are kept for who comes later or lags behind; -1 where no history is kept.
  @usableFromInline
  final let historySize: Int

  /// The subscriptions of a subject's own upstreams, and whether anyone has asked for values yet.
  private final let upstreams = Locked<(subscriptions: [any Subscription], isAsked: Bool)>(([], false))

  private final let isAsked = Atomic<Bool>(false)

  @usableFromInline
  init(_ name: StaticString, replays: Bool, historySize: Int) {
    self.name = name
    self.replays = replays
    self.historySize = historySize
  }

  deinit {
    for subscription in upstreams.withLock({ $0.subscriptions }) { subscription.cancel() }
  }

  @usableFromInline
  package final var description: String { name.description }

  @inlinable
  final var keepsHistory: Bool { historySize >= 0 }

  // MARK: Turns

  @usableFromInline
  final func post(_ act: @escaping () -> Void) {
    useTurn(takeTurn(for: act), act)
  }

  /// The first half: takes the gate, or leaves what is to be done for its owner.
  ///
  /// Fit to be done under a lock.
  @inlinable
  @inline(__always)
  final func takeTurn(for act: @autoclosure () -> () -> Void) -> Gate.Entry {
    let entry = gate.enter()
    if case .busy = entry { put(act()) }
    return entry
  }

  /// The second half, with no lock held.
  @inlinable
  @inline(__always)
  final func useTurn(_ entry: Gate.Entry, _ act: () -> Void) {
    switch entry {
    case .entered:
      act()
      leave()
    case .nested:
      act()
    case .busy:
      if gate.knock() { drain() }
    }
  }

  @inlinable
  @inline(__always)
  final func leave() {
    if !gate.leave() { drain() }
  }

  @usableFromInline
  final func put(_ act: @escaping () -> Void) {
    inbox.withLock { $0.append(act) }
  }

  @usableFromInline
  final func drain() {
    repeat {
      let acts = inbox.withLock { inbox in
        var acts: [() -> Void] = []
        swap(&acts, &inbox)
        return acts
      }
      for act in acts { act() }
    } while !gate.leave()
  }

  // MARK: Upstreams

  package final func receive(upstream subscription: any Subscription) {
    let isAsked = upstreams.withLock { upstreams in
      upstreams.subscriptions.append(subscription)
      return upstreams.isAsked
    }
    if isAsked { subscription.request(.unlimited) }
  }

  /// A member has asked for values: the first time, the upstreams are asked too.
  package final func askUpstreams() {
    if isAsked.load(ordering: .relaxed) { return }
    let subscriptions = upstreams.withLock { upstreams in
      if upstreams.isAsked { return [any Subscription]() }
      upstreams.isAsked = true
      return upstreams.subscriptions
    }
    isAsked.store(true, ordering: .relaxed)
    for subscription in subscriptions { subscription.request(.unlimited) }
  }

  // MARK: Members, for the gate's owner

  @usableFromInline
  final func add(_ member: MulticastHandle) {
    member.joinedAt = version
    if depth == 0 {
      list(member)
      noteSolo()
    } else {
      newcomers.append(member)
      isUntidy = true
    }
  }

  final func remove(_ member: MulticastHandle) {
    // One that is still on its way in is let go of when it arrives.
    if !member.hasJoined { return }
    if depth > 0 { return discard(member) }
    unlist(member)
    compact()
    // What a user's value or closure does when it goes may come back here: nothing is half done when it goes.
    member.act(member, .release)
  }

  /// Lets go of a member when no delivery is under way any more.
  @usableFromInline
  final func discard(_ member: MulticastHandle) {
    leaving.append(member)
    isUntidy = true
  }

  @usableFromInline
  final func discardAll() {
    leaving.append(contentsOf: members.lazy.compactMap { $0 })
    leaving.append(contentsOf: newcomers)
    isUntidy = true
  }

  /// Lets go of all members without a word, because nobody is left who could send.
  ///
  /// Else they and this would keep each other until they are cancelled.
  final func dissolve() {
    for member in members { if let member, member.end() { discard(member) } }
    for member in newcomers where member.end() { discard(member) }
    tidyIfNeeded()
  }

  @inlinable
  @inline(__always)
  final func tidyIfNeeded() {
    if isUntidy, depth == 0 { tidy() }
  }

  /// Brings the list up to date when no delivery walks it any more.
  @usableFromInline
  final func tidy() {
    isUntidy = false
    var released: ContiguousArray<MulticastHandle> = []
    swap(&released, &leaving)
    for member in newcomers { list(member) }
    newcomers.removeAll()
    for member in released { unlist(member) }
    compact()
    for member in released { member.act(member, .release) }
  }

  private final func list(_ member: MulticastHandle) {
    member.index = members.count
    members.append(member)
  }

  private final func unlist(_ member: MulticastHandle) {
    let index = member.index
    if index < 0 { return }
    members[index] = nil
    member.index = -1
    gone += 1
  }

  /// Closes the gaps when there are more of them than members.
  private final func compact() {
    if gone > members.count / 2 {
      members.removeAll { $0 == nil }
      gone = 0
      for (index, member) in members.enumerated() { member?.index = index }
    }
    if members.isEmpty, members.capacity > 16 { members = [] }
    noteSolo()
  }

  private final func noteSolo() {
    solo = members.count == 1 ? members[0].map { .passUnretained($0) } : nil
  }
}

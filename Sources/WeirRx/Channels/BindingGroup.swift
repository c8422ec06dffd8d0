import Weir

// Safety: the registry's lock is held for each access to a mutable property. (`ChannelTests`,
// `ChannelInterleavingTests`)
/// A group of connected bindings.
///
/// One thread at a time propagates a change within the group; other threads enqueue theirs and return.
///
/// Otherwise two changes could chase each other around a cycle of bindings: each thread would enqueue new work for the
/// other one.
///
/// Groups are found by the objects that are bound. A binding that connects two groups merges them.
///
/// In one turn, a thread propagates at most ``HandOver/limit`` changes of other threads. Then the next thread that
/// changes a value continues, or a thread that is started for this purpose. (`BindingFairnessThreadTests`)
final class BindingGroup: @unchecked Sendable {
  /// A closure that propagates a change.
  typealias Work = () -> Void

  private struct All {
    var groups: [ObjectIdentifier: (group: BindingGroup, count: Int)] = [:]
  }

  // Safety: its only property is a lock. (`ChannelInterleavingTests`)
  private final class Registry: @unchecked Sendable {
    let all = Locked(All())
  }

  private static let registry = Registry()

  /// The group into which this one was merged, or one into which that one was merged later.
  private(set) var parent: BindingGroup?

  /// An upper bound of the number of links on a path that leads to this group.
  ///
  /// Performance: the group with the lower rank is merged into the other one. So no path has more links than the binary
  /// logarithm of the number of merged groups. A model can outlive any number of them. (`BindingGroupTests`)
  private var rank = 0

  /// The thread that propagates changes, or zero.
  private var propagatingThread: UInt = 0

  /// The number of changes of other threads that the propagating thread still accepts in its turn.
  private var allowance = HandOver.limit

  /// The changes of other threads; without a propagating thread, they wait for the next one.
  private var waiting = CircularBuffer<Work>()

  /// Registers the two sides of a binding.
  static func join(_ one: ObjectIdentifier, _ other: ObjectIdentifier) -> BindingGroup {
    let new = BindingGroup()
    return registry.all.withLock { all in
      var group = (all.groups[one]?.group ?? all.groups[other]?.group ?? new).root
      for side in [one, other] {
        if let part = all.groups[side]?.group.root, part !== group { group = merge(group, part) }
      }
      for side in [one, other] { all.groups[side] = (group, (all.groups[side]?.count ?? 0) + 1) }
      return group
    }
  }

  /// Merges two groups that were not merged into others, and returns the one that contains both.
  ///
  /// Requires the lock.
  private static func merge(_ one: BindingGroup, _ other: BindingGroup) -> BindingGroup {
    let (group, part) = one.rank < other.rank ? (other, one) : (one, other)
    if group.rank == part.rank { group.rank += 1 }
    part.parent = group
    if group.propagatingThread == 0 {
      (group.propagatingThread, group.allowance) = (part.propagatingThread, part.allowance)
    }
    while let work = part.waiting.popFirst() { group.waiting.append(work) }
    return group
  }

  /// Unregisters the two sides of a binding.
  static func leave(_ one: ObjectIdentifier, _ other: ObjectIdentifier) {
    let released = registry.all.withLock { all in
      [one, other].map { side -> BindingGroup? in
        guard let known = all.groups[side] else { return nil }
        all.groups[side] = known.count > 1 ? (known.group, known.count - 1) : nil
        return known.group
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Runs the work, or enqueues it for the thread that is propagating in this group.
  func propagate(_ work: @escaping Work) {
    let me = currentThread()
    let (runsNow, isMine) = BindingGroup.registry.all.withLock { _ in
      let group = root
      if group.propagatingThread == me { return (true, false) }
      // Work that was handed over comes first.
      let runsNow = group.propagatingThread == 0 && group.waiting.isEmpty
      if !runsNow { group.waiting.append(work) }
      return (runsNow, group.beginTurn(of: me))
    }
    if runsNow { work() }
    if isMine { drain() }
  }

  /// Counts a change of another thread that a binding has found besides the group's work.
  ///
  /// Returns `false` if this thread is propagating, and has propagated enough for others in this turn.
  func countChange() -> Bool {
    BindingGroup.registry.all.withLock { _ in
      let group = root
      guard group.propagatingThread == currentThread() else { return true }
      if group.allowance == 0 { return false }
      group.allowance -= 1
      return true
    }
  }

  /// Makes a thread the one that propagates, unless there is another one.
  ///
  /// Requires the lock.
  private func beginTurn(of thread: UInt) -> Bool {
    if propagatingThread != 0 { return false }
    (propagatingThread, allowance) = (thread, HandOver.limit)
    return true
  }

  /// Runs the pending work, or hands it over when this thread has propagated enough for others.
  private func drain() {
    var isHandedOver = false
    while let next = next(&isHandedOver) { next() }
    if !isHandedOver { return }
    HandOver.start { [self] in
      let isMine = BindingGroup.registry.all.withLock { _ in root.beginTurn(of: currentThread()) }
      if isMine { drain() }
    }
  }

  private func next(_ isHandedOver: inout Bool) -> Work? {
    BindingGroup.registry.all.withLock { _ in
      let group = root
      // After a merge of two groups, only one of their two threads continues with the pending work.
      guard group.propagatingThread == currentThread() else { return nil }
      if group.allowance > 0, let work = group.waiting.popFirst() {
        group.allowance -= 1
        return work
      }
      group.propagatingThread = 0
      isHandedOver = !group.waiting.isEmpty
      return nil
    }
  }

  /// The group that contains this one.
  ///
  /// It becomes the parent of all groups on the path. So a later search is short, and a group that only its link
  /// retained is deallocated. That runs no user code under the lock, because a merged group has no pending work. A chain
  /// of such groups is short because of their ranks, so its deallocation needs little stack.
  ///
  /// Requires the lock.
  private var root: BindingGroup {
    var root = self
    while let parent = root.parent { root = parent }
    var group = self
    while let parent = group.parent, parent !== root {
      group.parent = root
      group = parent
    }
    return root
  }
}

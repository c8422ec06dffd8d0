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

  /// The group into which this one was merged.
  private var parent: BindingGroup?

  /// The thread that propagates changes, or zero.
  private var propagatingThread: UInt = 0
  private var waiting: [Work] = []

  /// Registers the two sides of a binding.
  static func join(_ one: ObjectIdentifier, _ other: ObjectIdentifier) -> BindingGroup {
    let new = BindingGroup()
    return registry.all.withLock { all in
      let group = (all.groups[one]?.group ?? all.groups[other]?.group ?? new).root
      for side in [one, other] {
        let known = all.groups[side]
        if let part = known?.group.root, part !== group {
          part.parent = group
          if group.propagatingThread == 0 { group.propagatingThread = part.propagatingThread }
          group.waiting += part.waiting
          part.waiting = []
        }
        all.groups[side] = (group, (known?.count ?? 0) + 1)
      }
      return group
    }
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
    let (isMine, isNested) = BindingGroup.registry.all.withLock { _ in
      let group = root
      if group.propagatingThread == me { return (true, true) }
      if group.propagatingThread != 0 {
        group.waiting.append(work)
        return (false, false)
      }
      group.propagatingThread = me
      return (true, false)
    }
    if !isMine { return }
    work()
    if isNested { return }
    while let next = next() { next() }
  }

  private func next() -> Work? {
    BindingGroup.registry.all.withLock { _ in
      let group = root
      // After a merge of two groups, only one of their two threads continues with the pending work.
      guard group.propagatingThread == currentThread() else { return nil }
      if !group.waiting.isEmpty { return group.waiting.removeFirst() }
      group.propagatingThread = 0
      return nil
    }
  }

  /// The group that contains this one.
  ///
  /// Requires the lock.
  private var root: BindingGroup {
    var group = self
    while let parent = group.parent { group = parent }
    return group
  }
}

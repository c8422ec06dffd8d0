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
final class Net: @unchecked Sendable {
  /// A closure that propagates a change.
  typealias Work = () -> Void

  private struct All {
    var nets: [ObjectIdentifier: (net: Net, count: Int)] = [:]
  }

  // Safety: its only property is a lock. (`ChannelInterleavingTests`)
  private final class Registry: @unchecked Sendable {
    let all = Locked(All())
  }

  private static let registry = Registry()

  /// The group into which this one was merged.
  private var larger: Net?

  /// The thread that propagates changes, or zero.
  private var carrier: UInt = 0
  private var waiting: [Work] = []

  /// Registers the two sides of a binding.
  static func join(_ one: ObjectIdentifier, _ other: ObjectIdentifier) -> Net {
    let new = Net()
    return registry.all.withLock { all in
      let net = (all.nets[one]?.net ?? all.nets[other]?.net ?? new).whole
      for side in [one, other] {
        let known = all.nets[side]
        if let part = known?.net.whole, part !== net {
          part.larger = net
          if net.carrier == 0 { net.carrier = part.carrier }
          net.waiting += part.waiting
          part.waiting = []
        }
        all.nets[side] = (net, (known?.count ?? 0) + 1)
      }
      return net
    }
  }

  /// Unregisters the two sides of a binding.
  static func leave(_ one: ObjectIdentifier, _ other: ObjectIdentifier) {
    let released = registry.all.withLock { all in
      [one, other].map { side -> Net? in
        guard let known = all.nets[side] else { return nil }
        all.nets[side] = known.count > 1 ? (known.net, known.count - 1) : nil
        return known.net
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Runs the work, or enqueues it for the thread that is propagating in this group.
  func carry(_ work: @escaping Work) {
    let me = currentThread()
    let (isMine, isNested) = Net.registry.all.withLock { _ in
      let net = whole
      if net.carrier == me { return (true, true) }
      if net.carrier != 0 {
        net.waiting.append(work)
        return (false, false)
      }
      net.carrier = me
      return (true, false)
    }
    if !isMine { return }
    work()
    if isNested { return }
    while let next = next() { next() }
  }

  private func next() -> Work? {
    Net.registry.all.withLock { _ in
      let net = whole
      // After a merge of two groups, only one of their two threads continues with the pending work.
      guard net.carrier == currentThread() else { return nil }
      if !net.waiting.isEmpty { return net.waiting.removeFirst() }
      net.carrier = 0
      return nil
    }
  }

  /// The group that contains this one.
  ///
  /// Requires the lock.
  private var whole: Net {
    var net = self
    while let larger = net.larger { net = larger }
    return net
  }
}

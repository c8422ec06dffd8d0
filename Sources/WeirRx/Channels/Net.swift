import Weir

// Safety: the one lock of all nets is held for each access to a mutable property. (`ChannelTests`, `ChannelInterleavingTests`)
/// Bindings that hang together: while one thread carries a change in a net, others leave theirs there and go.
///
/// Otherwise two changes could chase each other around a ring of bindings, each thread feeding the other with what it
/// leaves behind.
///
/// Nets are found by the objects that are bound, and become one when a binding connects two.
final class Net: @unchecked Sendable {
  /// Who has something to carry.
  typealias Work = () -> Void

  private struct All {
    var nets: [ObjectIdentifier: (net: Net, count: Int)] = [:]
  }

  // Safety: its only property is behind its lock. (`ChannelInterleavingTests`)
  private final class Registry: @unchecked Sendable {
    let all = Locked(All())
  }

  private static let registry = Registry()

  /// The net of which this has become a part.
  private var larger: Net?

  /// The thread that carries, zero if none does.
  private var carrier: UInt = 0
  private var waiting: [Work] = []

  /// Enters a binding's two sides.
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

  /// Takes a binding's two sides out.
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

  /// Does the work, or leaves it to the thread that carries in this net.
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
      // When two nets become one, one thread of two goes on with what waits.
      guard net.carrier == currentThread() else { return nil }
      if !net.waiting.isEmpty { return net.waiting.removeFirst() }
      net.carrier = 0
      return nil
    }
  }

  /// The net that this is a part of, for who has the lock.
  private var whole: Net {
    var net = self
    while let larger = net.larger { net = larger }
    return net
  }
}

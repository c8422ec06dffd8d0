/// An object with a gate: behind subjects, operators with several upstreams, and borders.
///
/// An implementation detail, public because a requirement of ``Subscription`` names it.
@_documentation(visibility: internal)
public class _Gated {
  @usableFromInline
  final let gate = Gate()

  // Safety: only the owner of the gate accesses it. It is taken out before a buffer delivers. (`BoundsTests`)
  /// The buffers that deliver when the gate is left.
  @usableFromInline
  @exclusivity(unchecked)
  final var waiting = WaitingBuffers()

  @usableFromInline
  init() {}

  /// Has a buffer deliver when this thread, which owns the gate, has left it.
  ///
  /// While a gate is taken, what other threads send waits there, however much that is. So a buffer doesn't deliver inside a gate:
  /// other threads get through to it, and it keeps to its size.
  @usableFromInline
  final func whenLeft(_ buffer: any GateListener) {
    waiting.add(buffer)
    // So the gate is left by the long way.
    _ = gate.knock()
  }

  /// Delivers the events of other threads, and gives the gate up.
  ///
  /// They are taken one by one: what an event brings to a buffer goes out before the next one.
  ///
  /// False if it offers the gate, after ``HandOver/limit`` events: then the caller starts a hand-over.
  @usableFromInline
  final func drain<Event>(_ inbox: borrowing Locked<Fifo<Event>>, _ deliver: (Event) -> Void) -> Bool {
    var allowance = HandOver.limit
    while true {
      if !waiting.isEmpty {
        gate.forgetKnocks()
        if !letBuffersDeliver(isRestLeft: inbox.withLock { !$0.isEmpty }) { return true }
      } else if allowance <= 0, inbox.withLock({ !$0.isEmpty }) {
        gate.offer()
        return false
      } else if let event = inbox.withLock({ $0.popFirst() }) {
        allowance -= 1
        deliver(event)
      } else if gate.leave() {
        return true
      }
    }
  }

  /// Leaves the gate, and has the buffers deliver that wait for that.
  ///
  /// The caller forgets the knocks, and looks then whether events are left.
  ///
  /// True if this thread owns the gate again, because events are left that no other thread has taken.
  @usableFromInline
  final func letBuffersDeliver(isRestLeft: Bool) -> Bool {
    let buffers = waiting.take()
    if !isRestLeft, gate.leave() {
      buffers.deliver()
      return false
    }
    gate.offer()
    buffers.deliver()
    return gate.takeOffer()
  }
}

/// What delivers when a gate is left.
@usableFromInline
protocol GateListener: AnyObject {
  func gateIsLeft()
}

/// The buffers that deliver when a gate is left, mostly one.
@usableFromInline
struct WaitingBuffers {
  private var first: (any GateListener)?
  private var others: [any GateListener] = []

  @usableFromInline
  init() {}

  @usableFromInline
  var isEmpty: Bool { first == nil }

  @usableFromInline
  mutating func add(_ buffer: any GateListener) {
    if first == nil {
      first = buffer
    } else if first !== buffer, !others.contains(where: { $0 === buffer }) {
      others.append(buffer)
    }
  }

  @usableFromInline
  mutating func take() -> WaitingBuffers {
    var taken = WaitingBuffers()
    swap(&taken, &self)
    return taken
  }

  @usableFromInline
  func deliver() {
    first?.gateIsLeft()
    for buffer in others { buffer.gateIsLeft() }
  }
}

/// An object with a gate: a subject, an operator with several upstreams, or a border.
///
/// An implementation detail, public because a requirement of ``Subscription`` names it.
@_documentation(visibility: internal)
public class _Gated {
  @usableFromInline
  final let gate = Gate()

  // Safety: only the owner of the gate accesses it, and takes its content before a buffer delivers. (`BoundsTests`)
  /// The buffers that deliver when the gate is released.
  @usableFromInline
  @exclusivity(unchecked)
  final var buffersToDeliver = WaitingBuffers()

  // Safety: only the owner of the gate accesses the three properties below. (`NestedEventThreadTests`,
  // `TurnstileTests`)

  /// The number of events that other threads had enqueued when the innermost delivery in flight began.
  @exclusivity(unchecked)
  private final var known = 0

  /// The number of nested events in flight that have made this thread deliver enqueued ones.
  @usableFromInline
  @exclusivity(unchecked)
  final var catchUpDepth: Int32 = 0

  /// The number of enqueued events that nested events may still make this thread deliver.
  @exclusivity(unchecked)
  private final var allowance: Int32 = 0

  @usableFromInline
  init() {}

  var enqueuedCounts: EnqueuedCounts { EnqueuedCounts() }

  // A nested event follows those that other threads have enqueued since the innermost delivery in flight began, because
  // this thread may know of them. For example, a subscriber has waited for a thread that has sent a value. It precedes
  // those that were enqueued before: it belongs to the delivery, as if their senders had waited for the end of that. So
  // two subjects that are assigned to each other come to rest, because the echo of a value is delivered inside it. But if
  // the addition of a subscriber is pending, it follows that, because the subscriber came before it was sent.

  /// Enters the gate for an event.
  @inlinable
  @inline(__always)
  final func enterInOrder() -> Gate.Entry {
    let entry = gate.enter()
    return entry == .reentrant && catchUpDepth > 0 && !canNest ? .contended : entry
  }

  /// Whether a nested event is delivered immediately, rather than enqueued.
  ///
  /// So the stack doesn't grow with the number of enqueued events, and no call delivers any number of them.
  @usableFromInline
  final var canNest: Bool {
    let enqueued = enqueuedCounts
    return !mustFollow(enqueued) || canCatchUp(on: enqueued)
  }

  /// Whether this thread may know of an enqueued event, or a subscriber would miss the nested event.
  private final func mustFollow(_ enqueued: EnqueuedCounts) -> Bool {
    enqueued.total > known || enqueued.areSubscribersPending
  }

  private final func canCatchUp(on enqueued: EnqueuedCounts) -> Bool {
    catchUpDepth == 0 || catchUpDepth < 16 && enqueued.pending <= allowance
  }

  /// Delivers a nested event, behind the enqueued ones of which this thread may know.
  ///
  /// If other threads have enqueued too many events since it was decided that this one is nested, it precedes them.
  @usableFromInline
  final func nest(deliverNext: () -> Bool, _ deliver: () -> Void) {
    let enqueued = enqueuedCounts
    let isNext = !mustFollow(enqueued) || enqueued.pending == 0 || !canCatchUp(on: enqueued)
    self.deliver(knowing: enqueued.total) {
      if isNext { return deliver() }
      allowance = catchUpDepth == 0 ? Int32(HandOver.limit) : allowance - Int32(enqueued.pending)
      catchUpDepth += 1
      for _ in 0..<enqueued.pending where !deliverNext() { break }
      deliver()
      catchUpDepth -= 1
    }
  }

  /// Delivers an event when this many have been enqueued, of which some may be pending.
  final func deliver(knowing total: Int, _ deliver: () -> Void) {
    let knownBefore = known
    known = total
    deliver()
    known = knownBefore
  }

  /// Makes a buffer deliver when this thread, which owns the gate, has released it.
  ///
  /// While a gate is taken, events of other threads are enqueued there, without a limit. So a buffer doesn't deliver
  /// inside a gate. Then the events of other threads reach the buffer, which limits their number.
  @usableFromInline
  final func whenLeft(_ buffer: GateListener) {
    buffersToDeliver.add(buffer)
    // Forces the slow path for releasing the gate.
    _ = gate.acquireOrRequestDrain()
  }

  /// Delivers the events of other threads, and releases the gate.
  ///
  /// Events are taken one by one: the values that an event adds to a buffer are delivered before the next event.
  /// `deliverNext` takes and delivers the next one, or returns `false` if there is none.
  ///
  /// Returns `false` if it offers the gate, after ``HandOver/limit`` events: then the caller starts a hand-over.
  final func drain(isAnythingPending: () -> Bool, deliverNext: () -> Bool) -> Bool {
    var allowance = HandOver.limit
    while true {
      if !buffersToDeliver.isEmpty {
        gate.clearDrainRequest()
        if !letBuffersDeliver(isAnythingPending: isAnythingPending()) { return true }
      } else if allowance <= 0, isAnythingPending() {
        gate.offerToNewThread()
        return false
      } else if deliverNext() {
        allowance -= 1
      } else if gate.leave() {
        return true
      }
    }
  }

  /// Starts a thread that delivers in turns, until nothing is pending or another thread has taken the gate.
  ///
  /// `deliver` delivers one turn, and returns whether it has left the gate rather than offered it. Nothing waits for the
  /// thread to return, so it can take the gate again: other threads only have the opportunity to.
  ///
  /// `deliver` can also return what is to be done outside the gate. That can take long, so another thread continues in
  /// the meantime.
  final func handOver(_ deliver: @escaping () -> (isDone: Bool, effect: (() -> Void)?)) {
    HandOver.start { [self] in
      while gate.takeOffer() {
        let (isDone, effect) = deliver()
        if let effect {
          if !isDone { handOver(deliver) }
          return effect()
        }
        if isDone { return }
      }
    }
  }

  /// Releases the gate, and makes the pending buffers deliver.
  ///
  /// The caller clears the mark for pending events first, and then checks whether events are pending.
  ///
  /// Returns `true` if this thread owns the gate again, because pending events have been taken by no other thread.
  @usableFromInline
  final func letBuffersDeliver(isAnythingPending: Bool) -> Bool {
    let buffers = buffersToDeliver.take()
    if !isAnythingPending, gate.leave() {
      buffers.deliver()
      return false
    }
    gate.offer()
    buffers.deliver()
    return gate.takeOffer()
  }
}

/// A buffer that delivers when a gate is released.
@usableFromInline
struct GateListener {
  fileprivate let buffer: AnyObject

  // Performance: a function that is created where the types are known. A requirement of a protocol would run
  // unspecialized generic code.
  fileprivate let deliver: () -> Void

  @usableFromInline
  init(_ buffer: AnyObject, _ deliver: @escaping () -> Void) {
    self.buffer = buffer
    self.deliver = deliver
  }
}

/// The buffers that deliver when a gate is released, usually one.
@usableFromInline
struct WaitingBuffers {
  private var first: GateListener?
  private var others: [GateListener] = []

  @usableFromInline
  init() {}

  @usableFromInline
  var isEmpty: Bool { first == nil }

  @usableFromInline
  mutating func add(_ listener: GateListener) {
    guard let first else { return self.first = listener }
    if first.buffer !== listener.buffer, !others.contains(where: { $0.buffer === listener.buffer }) {
      others.append(listener)
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
    first?.deliver()
    for listener in others { listener.deliver() }
  }
}

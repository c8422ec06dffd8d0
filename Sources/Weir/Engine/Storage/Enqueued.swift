/// The events that are enqueued for the owner of a gate.
///
/// Performance: an object, which the first event makes. Most gates are never contended, and the `deinit` of a queue
/// costs 400 instructions.
final class Enqueued<Event> {
  // Safety: a thread accesses the two properties only while it has the lock of the slot that holds this object, and runs
  // no user code meanwhile. (`MulticasterTests`, `TurnstileTests`, `Threads/careless`)

  @exclusivity(unchecked)
  var events = SplitQueue<Event>()

  /// The number of events that have been enqueued so far.
  @exclusivity(unchecked)
  private(set) var total = 0

  var counts: EnqueuedCounts { EnqueuedCounts(pending: events.count, total: total) }

  func append(_ event: Event) {
    total &+= 1
    events.append(event)
  }

  /// Returns the object in a slot, which it makes if there is none.
  static func filling(_ slot: inout Enqueued?) -> Enqueued {
    if let slot { return slot }
    let made = Enqueued()
    slot = made
    return made
  }
}

/// The numbers of events that are enqueued for the owner of a gate.
struct EnqueuedCounts {
  var pending = 0

  /// The number of events that have been enqueued so far.
  var total = 0

  /// Whether a pending one adds a subscriber.
  var areSubscribersPending = false
}

/// The state that a published property and its publishers share.
///
/// Performance: it stores only the value until there is a subscriber or an observation.
@usableFromInline
final class PublishedStorage<Value> {
  @usableFromInline
  let state = Locked(PublishedState())

  // Performance: a lock with a value of a client's type would have a type that depends on it, which the `deinit` would
  // look up. So the two properties below are beside the lock.

  // Safety: a thread accesses the two properties below only while it has the lock. (`ObservationThreadTests`,
  // `Threads/set-and-read/published`)

  @usableFromInline
  @exclusivity(unchecked)
  var stored: Value

  /// The hub of the subscribers, created at the first subscription.
  @usableFromInline
  @exclusivity(unchecked)
  var hub: Multicaster<Value, Never>?

  @inlinable
  init(_ value: Value) {
    stored = value
  }

  deinit {
    let (assigned, changes) = state.withLock { ($0.assigned, $0.changes) }
    for subscriber in assigned.values { subscriber.cancel() }
    changes?.send(completion: .finished)
  }

  @inlinable
  var value: Value {
    state.withLock { state in
      if state.watchers != 0 { state.noteRead() }
      return stored
    }
  }

  /// Delivers a value, and stores it afterwards.
  ///
  /// The object is `nil` if the property is set by its publisher.
  @inlinable
  func set(_ value: Value, in object: AnyObject?) {
    // Announce the change of the object.
    (state.withLock { $0.observation } ?? lateObservation(in: object))?.publisher.send()
    var kept = value
    var changes: PassthroughSubject<Void, Never>?
    defer { changes?.send(()) }
    typealias Delivery = (
      subject: Multicaster<Value, Never>, turn: (turn: AnyMulticaster.Turn, displaced: EnqueuedAction?), overtaking: Int
    )
    let delivery: Delivery? = state.withLock { state in
      changes = state.changes
      guard let subject = hub else {
        swap(&stored, &kept)
        return nil
      }
      let turn = subject.enterOrEnqueue(toDeliver: { self.deliverLate(value, to: subject) })
      switch turn.turn {
      case .deliver, .deliverNested: break
      case .drain, .nothing:
        state.overtaking &+= 1
        swap(&stored, &kept)
      }
      return (subject, turn, state.overtaking)
    }
    guard let delivery else { return }
    let subject = delivery.subject
    subject.take(delivery.turn.turn) {
      var overtaking = delivery.overtaking
      // This value follows those that other threads have set, unless one is pending.
      if case .deliverNested = delivery.turn.turn {
        state.withLock { state in if subject.isLatest { overtaking = state.overtaking } }
      }
      let version = subject.version &+ 1
      subject.deliver(value)
      let isKept = state.withLock { state in
        changes = state.changes
        // A value that another thread has set in the meantime is newer.
        guard state.overtaking == overtaking else { return false }
        swap(&stored, &kept)
        return true
      }
      // Values that were set inside the delivery are now older than this one.
      if isKept, subject.version != version { subject.putBack(value, of: version) }
    }
  }

  /// Delivers a value that was enqueued, and stores it again if it is the last.
  ///
  /// A nested value may have been stored in the meantime, and delivered before.
  @inlinable
  @inline(never)
  func deliverLate(_ value: Value, to subject: Multicaster<Value, Never>) {
    var kept = value
    state.withLock { _ in
      if subject.isLatest { swap(&stored, &kept) }
    }
    subject.deliver(value)
  }

  /// The hub that subscribers attach to.
  @inlinable
  @inline(never)
  var subject: Multicaster<Value, Never> {
    state.withLock { state in
      if let subject = hub { return subject }
      let subject = Multicaster<Value, Never>("PublishedSubject", replaying: stored)
      hub = subject
      return subject
    }
  }

  /// Finds the observation of an object whose mirror doesn't tell its published properties.
  @usableFromInline
  @inline(never)
  func lateObservation(in object: AnyObject?) -> Observation? {
    guard let object, let found = ObservedObjects.shared.lateObservation(of: object) else { return nil }
    _ = observe(found)
    return found
  }

  func observe(_ observation: Observation) -> Bool {
    state.withLock { state in
      if state.observation != nil { return false }
      state.observation = observation
      return true
    }
  }

  /// Sends after each change, when the property has its new value, and finishes when it is deallocated.
  var changes: PassthroughSubject<Void, Never> {
    state.withLock { state in
      if let changes = state.changes { return changes }
      let changes = PassthroughSubject<Void, Never>()
      state.changes = changes
      return changes
    }
  }

  // MARK: Recording of reads

  func startWatching() {
    state.withLock { state in
      state.watchers += 1
      state.readers.remove(currentThread())
    }
  }

  /// Returns whether this thread has read the property since `startWatching`.
  func stopWatching() -> Bool {
    state.withLock { state in
      state.watchers -= 1
      return state.readers.remove(currentThread()) != nil
    }
  }

  // MARK: Assigning

  func keep(_ subscriber: PublishedSubscriber<Value>) {
    state.withLock { $0.assigned[ObjectIdentifier(subscriber)] = subscriber }
  }

  func forget(_ subscriber: PublishedSubscriber<Value>) {
    let released = state.withLock { $0.assigned.removeValue(forKey: ObjectIdentifier(subscriber)) }
    withExtendedLifetime(released) {}
  }
}

/// The state of a published property that doesn't depend on the type of its value.
@usableFromInline
struct PublishedState {
  /// The number of values that were stored immediately, because another thread was delivering.
  @usableFromInline
  var overtaking = 0

  /// The observation of the object, if there is one.
  @usableFromInline
  var observation: Observation?

  /// Sends after each change; created when it is first needed.
  @usableFromInline
  var changes: PassthroughSubject<Void, Never>?

  /// The number of callers that are recording which properties a getter reads.
  @usableFromInline
  var watchers = 0

  /// The threads that have read the property during a recording.
  var readers: Set<UInt> = []

  /// The subscribers of publishers that are assigned to the property, until they complete.
  var assigned: [ObjectIdentifier: any Cancellable] = [:]

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func noteRead() {
    readers.insert(currentThread())
  }
}

/// What a published property and its publishers share.
///
/// There is nothing but the value until somebody subscribes or observes the object.
@usableFromInline
final class PublishedStorage<Value> {
  @usableFromInline
  struct State {
    @usableFromInline
    var value: Value

    /// The subscribers' values, since the first came.
    @usableFromInline
    var subject: Multicaster<Value, Never>?

    /// How many values came while another thread was delivering: they were kept at once.
    @usableFromInline
    var overtaking = 0

    /// The observation of the object, once there is one.
    @usableFromInline
    var observation: Observation?

    /// Tells that the property has changed, since somebody wanted to know.
    @usableFromInline
    var changes: PassthroughSubject<Void, Never>?

    /// How many look which properties a getter reads.
    @usableFromInline
    var watchers = 0

    /// The threads that have read the property meanwhile.
    var readers: Set<UInt> = []

    /// What is assigned to the property, until it ends.
    var assigned: [ObjectIdentifier: any Cancellable] = [:]

    @usableFromInline
    init(_ value: Value) {
      self.value = value
    }

    @usableFromInline
    mutating func noteRead() {
      readers.insert(currentThread())
    }
  }

  @usableFromInline
  let state: Locked<State>

  @inlinable
  init(_ value: Value) {
    state = Locked(State(value))
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
      return state.value
    }
  }

  /// Delivers a value, and keeps it then.
  @inlinable
  func set(_ value: Value) {
    // The object is about to change.
    state.withLock { $0.observation }?.publisher.send()
    var kept = value
    var changes: PassthroughSubject<Void, Never>?
    defer { changes?.send(()) }
    typealias Delivery = (
      subject: Multicaster<Value, Never>, turn: (entry: Gate.Entry, leftOut: LeftAction?), overtaking: Int
    )
    let delivery: Delivery? = state.withLock { state in
      changes = state.changes
      guard let subject = state.subject else {
        swap(&state.value, &kept)
        return nil
      }
      let turn = subject.takeTurn(toDeliver: { subject.deliver(value) })
      if case .busy = turn.entry {
        state.overtaking &+= 1
        swap(&state.value, &kept)
      }
      return (subject, turn, state.overtaking)
    }
    guard let delivery else { return }
    let subject = delivery.subject
    subject.useTurn(delivery.turn.entry) {
      let version = subject.version
      subject.deliver(value)
      let isKept = state.withLock { state in
        changes = state.changes
        // What another thread has set meanwhile is newer.
        guard state.overtaking == delivery.overtaking else { return false }
        swap(&state.value, &kept)
        return true
      }
      // What was set inside the delivery is older than this by now.
      if isKept, subject.version != version &+ 1 { _ = subject.past?.replace(value) }
    }
  }

  /// Where subscribers go.
  @inlinable
  @inline(never)
  var subject: Multicaster<Value, Never> {
    state.withLock { state in
      if let subject = state.subject { return subject }
      let subject = Multicaster<Value, Never>("PublishedSubject", replaying: state.value)
      state.subject = subject
      return subject
    }
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

  // MARK: Who reads

  func startWatching() {
    state.withLock { state in
      state.watchers += 1
      state.readers.remove(currentThread())
    }
  }

  /// Whether this thread has read the property meanwhile.
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

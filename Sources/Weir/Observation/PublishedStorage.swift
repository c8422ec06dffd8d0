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

    /// What is assigned to the property, until it ends.
    var assigned: [ObjectIdentifier: PublishedSubscriber<Value>] = [:]

    @usableFromInline
    init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline
  let state: Locked<State>

  @inlinable
  init(_ value: Value) {
    state = Locked(State(value))
  }

  deinit {
    for subscriber in state.withLock({ $0.assigned }).values { subscriber.intake.cancel() }
  }

  @inlinable
  var value: Value {
    state.withLock { $0.value }
  }

  /// Delivers a value, and keeps it then.
  @inlinable
  func set(_ value: Value) {
    // The object is about to change.
    state.withLock { $0.observation }?.publisher.send()
    var kept = value
    let delivery: (subject: Multicaster<Value, Never>, turn: Gate.Entry, overtaking: Int)? = state.withLock { state in
      guard let subject = state.subject else {
        swap(&state.value, &kept)
        return nil
      }
      let turn = subject.takeTurn(for: .value(value))
      if case .busy = turn {
        state.overtaking &+= 1
        swap(&state.value, &kept)
      }
      return (subject, turn, state.overtaking)
    }
    guard let delivery else { return }
    let subject = delivery.subject
    subject.useTurn(delivery.turn) {
      let version = subject.version
      subject.deliver(value)
      let isKept = state.withLock { state in
        // What another thread has set meanwhile is newer.
        guard state.overtaking == delivery.overtaking else { return false }
        swap(&state.value, &kept)
        return true
      }
      // What was set inside the delivery is older than this by now.
      if isKept, subject.version != version &+ 1 { subject.latest = value }
    }
  }

  /// Where subscribers go.
  @usableFromInline
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

  // MARK: Assigning

  func keep(_ subscriber: PublishedSubscriber<Value>) {
    state.withLock { $0.assigned[ObjectIdentifier(subscriber)] = subscriber }
  }

  func forget(_ subscriber: PublishedSubscriber<Value>) {
    let released = state.withLock { $0.assigned.removeValue(forKey: ObjectIdentifier(subscriber)) }
    withExtendedLifetime(released) {}
  }
}

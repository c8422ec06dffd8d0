/// A subject that keeps the latest value.
///
/// - Demand: each subscriber's own. A subscriber gets the latest value at its first demand; one without demand misses
///   what is sent meanwhile, save the last, which it gets when it asks again.
/// - Completion and cancellation: see ``Subject``. A later subscriber gets the completion and no value.
/// - Threading: see ``Subject``. ``value`` can be read and set on any thread.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  @usableFromInline
  let current: Locked<Current>

  @usableFromInline
  struct Current {
    @usableFromInline
    var value: Output

    @usableFromInline
    var isOver = false

    @usableFromInline
    init(value: Output) {
      self.value = value
    }
  }

  /// Makes a subject with a first value.
  @inlinable
  public init(_ value: Output) {
    hub = Multicaster("CurrentValueSubject", replaying: value)
    current = Locked(Current(value: value))
  }

  /// The latest value.
  ///
  /// Setting it sends it; after the end it is only kept.
  @inlinable
  public var value: Output {
    get { current.withLock { $0.value } }
    set { if !replace(with: newValue) { hub.send(newValue) } }
  }

  /// Attaches a subscriber, which gets the latest value at its first demand.
  @inlinable
  @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.receive(subscriber: subscriber)
  }

  /// Keeps the value and sends it to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    if !replace(with: input, unlessOver: true) { hub.send(input) }
  }

  /// Keeps a value; true if the subject has ended.
  ///
  /// What it takes the place of goes when the lock is gone.
  @inlinable
  func replace(with value: Output, unlessOver: Bool = false) -> Bool {
    var value = value
    return current.withLock { current in
      if !(unlessOver && current.isOver) { swap(&current.value, &value) }
      return current.isOver
    }
  }

  /// Sends the completion; whatever is sent later is ignored.
  public func send(completion: Subscribers.Completion<Failure>) {
    current.withLock { $0.isOver = true }
    hub.post(.completion(completion))
  }

  /// Takes an upstream's subscription and asks it for everything.
  public func send(subscription: any Subscription) {
    hub.askUpstreams()
    hub.receive(upstream: subscription)
  }
}

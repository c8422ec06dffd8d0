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
  /// Setting it sends it.
  @inlinable
  public var value: Output {
    get { current.withLock { $0.value } }
    set { send(newValue) }
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
    var replaced = input
    let isOver = current.withLock { current in
      if current.isOver { return true }
      swap(&current.value, &replaced)
      return false
    }
    if !isOver { hub.send(input) }
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

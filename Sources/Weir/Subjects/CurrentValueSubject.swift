/// A subject that keeps the latest value.
///
///     send                                -1-2-   3-4-|
///     demand                              2----   -1
///     CurrentValueSubject<Int, Never>(0)  01---   -3--|
///     later                               ----(^2)3-4-|
///
/// - Demand: each subscriber's own. A subscriber gets the latest value at its first demand; one without demand misses
///   what is sent meanwhile, save the last, which it gets when it asks again.
/// - Completion and cancellation: see ``Subject``. A later subscriber gets the completion and no value.
/// - Threading: see ``Subject``. ``value`` can be read and set on any thread. Of the values that other threads send during a
///   delivery, the subject keeps as many as are requested, and the last one besides.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, _DirectPublisher {
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

  @usableFromInline
  package let place = Place()

  /// Makes a subject with a first value.
  @inlinable
  public convenience init(_ value: Output) {
    self.init(value, named: "CurrentValueSubject")
  }

  /// Creates a subject whose subscriptions have another description.
  @inlinable
  package init(_ value: Output, named name: StaticString) {
    hub = Multicaster(name, replaying: value)
    current = Locked(Current(value: value))
  }

  /// The latest value.
  ///
  /// Setting it sends it; after the end it is only kept.
  @inlinable
  public var value: Output {
    get { current.withLock { $0.value } }
    set { keep(newValue, whenOver: true) }
  }

  /// Attaches a downstream, which gets the latest value at its first demand.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    hub.attach(downstream, of: self)
  }

  /// Keeps the value and sends it to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    keep(input, whenOver: false)
  }

  /// Keeps a value and sends it, unless the subject has ended.
  ///
  /// The turn to send is taken together with the value's place, so that what is sent last is what stays, whichever thread
  /// comes first. The value before goes when the lock is gone.
  @inlinable
  @inline(__always)
  func keep(_ value: Output, whenOver: Bool) {
    var kept = value
    let turn: (entry: Gate.Entry, leftOut: LeftAction?)? = current.withLock { current in
      if current.isOver {
        if whenOver { swap(&current.value, &kept) }
        return nil
      }
      swap(&current.value, &kept)
      return hub.takeTurn(toDeliver: { self.hub.deliver(value) })
    }
    if let turn { hub.useTurn(turn.entry) { hub.deliver(value) } }
  }

  /// Sends the completion; later values and completions are ignored.
  public func send(completion: Subscribers.Completion<Failure>) {
    let turn = current.withLock { current in
      current.isOver = true
      return hub.takeTurn(for: { self.hub.complete(completion) })
    }
    hub.useTurn(turn) { hub.complete(completion) }
  }

  /// Takes an upstream's subscription and asks it for everything.
  public func send(subscription: any Subscription) {
    hub.askUpstreams()
    hub.receive(upstream: subscription)
  }
}

// Safety: only the owner of the gate accesses the hub, and the latest value is behind the lock. What is sent may reach
// another thread, so it must be `Sendable`. (`SubjectThreadTests`, `Threads/current-value`)
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}

/// A subject that stores the latest value.
///
///     send                                -1-2-   3-4-|
///     demand                              2----   -1
///     CurrentValueSubject<Int, Never>(0)  01---   -3--|
///     later                               ----(^2)3-4-|
///
/// - Demand: each subscriber has its own. A subscriber receives the latest value at its first request. Values that are
///   sent while a subscriber has no demand are dropped for it, except the last one. It receives that value at its next
///   request.
/// - Completion and cancellation: see ``Subject``. A later subscriber receives the completion and no value.
/// - Threading: see ``Subject``. ``value`` can be read and set on any thread. Of the values that other threads send
///   during a delivery, the subject keeps as many as are requested, and also the last one.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  /// Whether the subject has completed.
  ///
  /// The lock also protects `latest`.
  @usableFromInline
  let state = Locked(false)

  // Performance: a lock with a value of a client's type would have a type that depends on it, which the `deinit` would
  // look up. So the value is beside the lock.

  // Safety: a thread accesses it only while it has the lock. (`Threads/current-value`,
  // `Threads/set-and-read/current-value`)
  @usableFromInline
  @exclusivity(unchecked)
  var latest: Output

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a subject with an initial value.
  @inlinable
  public convenience init(_ value: Output) {
    self.init(value, named: "CurrentValueSubject")
  }

  /// Creates a subject whose subscriptions have another description.
  @inlinable
  package init(_ value: Output, named name: StaticString) {
    hub = Multicaster(name, replaying: value)
    latest = value
  }

  /// The latest value.
  ///
  /// Setting it sends it. After the completion a new value is only stored.
  @inlinable
  public var value: Output {
    get { state.withLock { _ in latest } }
    set { keep(newValue, evenIfTerminated: true) }
  }

  /// Attaches a downstream, which receives the latest value at its first request.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    hub.attach(downstream, of: self)
  }

  /// Stores the value and sends it to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    keep(input, evenIfTerminated: false)
  }

  /// Stores a value and sends it, unless the subject has completed.
  ///
  /// Invariant: the lock covers both the storing and the reservation of the delivery, so the value that is sent last is
  /// the one that remains stored. The previous value is released outside the lock.
  @inlinable
  @inline(__always)
  func keep(_ value: Output, evenIfTerminated: Bool) {
    var kept = value
    let turn: (turn: AnyMulticaster.Turn, displaced: EnqueuedAction?)? = state.withLock { isTerminated in
      if isTerminated {
        if evenIfTerminated { swap(&latest, &kept) }
        return nil
      }
      swap(&latest, &kept)
      return hub.enterOrEnqueue(toDeliver: { self.deliverLate(value) })
    }
    guard let turn = turn?.turn else { return }
    hub.take(turn) { if case .deliverNested = turn { deliverLate(value) } else { hub.deliver(value) } }
  }

  /// Delivers a value that was enqueued, or that follows enqueued ones, and stores it again if it is the last.
  ///
  /// Another value may have been stored in the meantime, and delivered before.
  @inlinable
  @inline(never)
  func deliverLate(_ value: Output) {
    var kept = value
    state.withLock { isTerminated in
      if !isTerminated, hub.isLatest { swap(&latest, &kept) }
    }
    hub.deliver(value)
  }

  /// Sends the completion; later values and completions are ignored.
  public func send(completion: Subscribers.Completion<Failure>) {
    let turn = state.withLock { isTerminated in
      isTerminated = true
      return hub.enterOrEnqueue(for: { self.hub.complete(completion) })
    }
    hub.take(turn) { hub.complete(completion) }
  }

  /// Stores an upstream's subscription and requests unlimited values from it.
  public func send(subscription: any Subscription) {
    hub.askUpstreams()
    hub.receive(upstream: subscription)
  }
}

// Safety: only the owner of the gate accesses the hub, and the lock protects the latest value. A value can be delivered
// on another thread, so it must be `Sendable`. (`SubjectThreadTests`, `Threads/current-value`)
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}

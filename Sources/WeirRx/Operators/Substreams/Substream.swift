public import Weir

/// The values of a window or a group, for its one subscriber, which can attach at any time.
///
///     strategy ──holds──▶ Substream ──holds──▶ buffer ──holds──▶ Substream ──holds──▶ subscriber
///
/// Values are buffered until there is a subscriber with demand. The reference cycle is broken at termination, which
/// includes a cancellation, and when the publisher is deallocated without a subscriber.
@usableFromInline
final class Substream<Value, Failure: Error>: Subscriber, Subscription, CustomStringConvertible {
  @usableFromInline
  typealias Input = Value

  /// Protects the six properties below.
  ///
  /// Performance: it doesn't contain them. Otherwise its type would depend on that of the values. Unspecialized code,
  /// as in a `deinit`, would look it up.
  @usableFromInline
  let lock = Locked(())

  // Safety: a thread accesses the six properties below only while it has the lock. (`GroupByTests/races`,
  // `Threads/attach-elsewhere/groupBy-cancel`)

  @usableFromInline
  @exclusivity(unchecked)
  var buffer: (any Subscription)?

  @usableFromInline
  @exclusivity(unchecked)
  var target: Downstream<Value, Failure>?

  /// True if a subscriber has attached.
  @usableFromInline
  @exclusivity(unchecked)
  var isTaken = false

  /// True if the subscriber has its subscription, so that it can receive values and the completion.
  @usableFromInline
  @exclusivity(unchecked)
  var isReady = false

  /// The demand that the subscriber requested before that.
  @usableFromInline
  @exclusivity(unchecked)
  var early = Subscribers.Demand.none

  /// Delivers the completion that arrived before that.
  @usableFromInline
  @exclusivity(unchecked)
  var complete: ((consuming Downstream<Value, Failure>) -> Void)?

  @usableFromInline
  let name: StaticString

  // Safety: the buffer's request inside the initializer assigns it, when nothing else has a reference to this object.
  // (`WindowTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var emission: Emission<Value, Failure>?

  /// `onEnd` runs when the substream can no longer deliver values.
  @inlinable
  init(_ name: StaticString, buffering: BackpressureStrategy<Failure>, onEnd: @escaping () -> Void) {
    self.name = name
    // The buffer requests values immediately, so the emission exists when this call returns.
    let source = EmissionSource<Value, Failure> { [unowned self] emitter in
      self.emission = emitter.emission
      return AnyCancellable(anywhere: onEnd)
    }
    source.attach(Downstream(self), buffering: buffering.policy(asking: .everything), named: name)
  }

  @usableFromInline
  var description: String { name.description }

  // MARK: The strategy's side

  @inlinable
  var isTerminated: Bool { emission?.isTerminated ?? true }

  @inlinable
  func send(_ value: Value) {
    emission?.send(value)
  }

  @inlinable
  func send(completion: Subscribers.Completion<Failure>) {
    emission?.send(completion: completion)
  }

  // MARK: The buffer's side

  @inlinable
  func receive(subscription: any Subscription) {
    lock.withLock { _ in buffer = subscription }
  }

  @inlinable
  func receive(_ input: Value) -> Subscribers.Demand {
    var next: ((Value) -> Subscribers.Demand)?
    lock.withLock { _ in next = target?.next }
    return next?(input) ?? .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let target = lock.withLock { _ -> Downstream<Value, Failure>? in
      if isReady { return self.target.take() }
      complete = { $0.end(completion) }
      return nil
    }
    target?.end(completion)
  }

  // MARK: The subscriber's side

  @inlinable
  func attach(_ downstream: consuming Downstream<Value, Failure>) {
    let isFirst = lock.withLock { _ in
      if isTaken { return false }
      isTaken = true
      self.target = downstream
      return true
    }
    guard isFirst else {
      fatalError("A window or group supports one subscriber. Use share() to attach more.")
    }
    downstream.begin(self)
    let (target, complete, early) = lock.withLock { _ in
      isReady = true
      return (self.complete == nil ? nil : self.target.take(), self.complete.take(), self.early)
    }
    if let complete {
      if let target { complete(target) }
    } else if early > .none {
      request(early)
    }
  }

  /// Called when no subscriber can attach any more.
  ///
  /// Terminates the substream if it has none.
  @inlinable
  func abandon() {
    if !lock.withLock({ _ in isTaken }) { cancel() }
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    let buffer = lock.withLock { _ -> (any Subscription)? in
      if isReady { return self.buffer }
      early += demand
      return nil
    }
    buffer?.request(demand)
  }

  @inlinable
  func cancel() {
    let (buffer, target) = lock.withLock { _ in
      isTaken = true
      return (self.buffer.take(), self.target.take())
    }
    withExtendedLifetime(target) { buffer?.cancel() }
  }
}

/// Owns a substream until its publisher is deallocated, and then abandons the substream.
@usableFromInline
final class SubstreamHandle<Value, Failure: Error> {
  @usableFromInline
  let substream: Substream<Value, Failure>

  @inlinable
  init(_ substream: Substream<Value, Failure>) {
    self.substream = substream
  }

  @inlinable
  deinit {
    substream.abandon()
  }
}

/// A publisher of the values of a substream.
@usableFromInline
struct SubstreamPublisher<Output, Failure: Error>: _DirectPublisher {
  @usableFromInline
  let handle: SubstreamHandle<Output, Failure>

  @inlinable
  init(_ substream: Substream<Output, Failure>) {
    handle = SubstreamHandle(substream)
  }

  @inlinable
  func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    handle.substream.attach(downstream)
  }
}

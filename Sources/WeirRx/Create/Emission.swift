public import Weir

/// A publisher that ignores demand.
///
/// The operator behind it applies the strategy.
@usableFromInline
struct EmissionSource<Output, Failure: Error>: _DirectPublisher {
  @usableFromInline
  let body: Emission<Output, Failure>.Body

  @inlinable
  init(body: @escaping Emission<Output, Failure>.Body) {
    self.body = body
  }

  @inlinable
  func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    downstream.begin(Emission(body, target: downstream))
  }
}

/// One run of the closure of `create`, from the subscription to its termination.
@usableFromInline
final class Emission<Output, Failure: Error>: Subscription {
  @usableFromInline
  typealias Body = (Publishers.Create<Output, Failure>.Emitter) -> any Cancellable

  /// Protects the three properties below.
  ///
  /// Performance: it doesn't contain them. Otherwise its type would depend on that of the values. Unspecialized code,
  /// as in a `deinit`, would look it up.
  @usableFromInline
  let lock = Locked(())

  // Safety: a thread accesses the three properties below only while it has the lock. (`CreateTests/racingEnds`,
  // `CreateTests/cancelDuringClosure`, `Threads/cancel-elsewhere/create-latest`)

  /// The closure that runs at the first request.
  @usableFromInline
  @exclusivity(unchecked)
  var body: Body?

  /// The receiver of the events; `nil` after termination.
  @usableFromInline
  @exclusivity(unchecked)
  var target: Downstream<Output, Failure>?

  /// The closure's result, which is cancelled at termination.
  @usableFromInline
  @exclusivity(unchecked)
  var resource: (any Cancellable)?

  @inlinable
  init(_ body: @escaping Body, target: consuming Downstream<Output, Failure>) {
    self.body = body
    self.target = target
  }

  @inlinable
  var isTerminated: Bool {
    lock.withLock { _ in target == nil }
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    // Performance: `take()` would look up the type of the closure, which depends on that of the values.
    var body: Body?
    lock.withLock { _ in (body, self.body) = (self.body, nil) }
    guard let body else { return }
    let resource = body(Publishers.Create.Emitter(emission: self))
    let isKept = lock.withLock { _ in
      guard target != nil else { return false }
      self.resource = resource
      return true
    }
    // The subscription terminated before the closure returned.
    if !isKept { resource.cancel() }
  }

  @inlinable
  func send(_ value: Output) {
    // Copies the function, so that a cancellation doesn't wait for the delivery.
    var next: ((Output) -> Subscribers.Demand)?
    lock.withLock { _ in next = target?.next }
    _ = next?(value)
  }

  @inlinable
  func send(completion: Subscribers.Completion<Failure>) {
    let (ended, resource) = end()
    ended?.end(completion)
    resource?.cancel()
  }

  @inlinable
  func cancel() {
    let (ended, resource) = end()
    withExtendedLifetime(ended) { resource?.cancel() }
  }

  /// Returns the user's values, so that the caller releases them outside the lock.
  @inlinable
  func end() -> (target: Downstream<Output, Failure>?, resource: (any Cancellable)?) {
    let released = lock.withLock { _ in (body.take(), target.take(), resource.take()) }
    return withExtendedLifetime(released.0) { (released.1, released.2) }
  }
}

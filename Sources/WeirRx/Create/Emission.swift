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
  func _attach(_ downstream: Downstream<Output, Failure>) {
    downstream.begin(Emission(body, target: downstream))
  }
}

/// One run of the closure of `create`, from the subscription to its termination.
@usableFromInline
final class Emission<Output, Failure: Error>: Subscription {
  @usableFromInline
  typealias Body = (Publishers.Create<Output, Failure>.Emitter) -> any Cancellable

  @usableFromInline
  struct State {
    /// The closure that runs at the first request.
    @usableFromInline
    var body: Body?

    /// The receiver of the events; `nil` after termination.
    @usableFromInline
    var target: Downstream<Output, Failure>?

    /// The closure's result, which is cancelled at termination.
    @usableFromInline
    var resource: (any Cancellable)?

    @inlinable
    init(body: @escaping Body, target: Downstream<Output, Failure>) {
      self.body = body
      self.target = target
    }
  }

  @usableFromInline
  let state: Locked<State>

  @inlinable
  init(_ body: @escaping Body, target: Downstream<Output, Failure>) {
    state = Locked(State(body: body, target: target))
  }

  @inlinable
  var isTerminated: Bool {
    state.withLock { $0.target == nil }
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    guard let body = state.withLock({ $0.body.take() }) else { return }
    let resource = body(Publishers.Create.Emitter(emission: self))
    let isKept = state.withLock { state in
      guard state.target != nil else { return false }
      state.resource = resource
      return true
    }
    // The subscription terminated before the closure returned.
    if !isKept { resource.cancel() }
  }

  @inlinable
  func send(_ value: Output) {
    // Copies the target, so that a cancellation doesn't wait for the delivery.
    if let target = state.withLock({ $0.target }) { _ = target.next(value) }
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
    let released = state.withLock { state in
      (state.body.take(), state.target.take(), state.resource.take())
    }
    return withExtendedLifetime(released.0) { (released.1, released.2) }
  }
}

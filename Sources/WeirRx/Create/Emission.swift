import Weir

/// A publisher that sends whatever comes, whatever the demand: what stands behind it keeps to the demand.
struct EmissionSource<Output, Failure: Error>: _DirectPublisher {
  let body: Emission<Output, Failure>.Body

  func _attach(_ downstream: Downstream<Output, Failure>) {
    downstream.begin(Emission(body, target: downstream))
  }
}

/// One run of the closure of `create`, from the subscription to the end.
final class Emission<Output, Failure: Error>: Subscription {
  typealias Body = (Publishers.Create<Output, Failure>.Emitter) -> any Cancellable

  private struct State {
    /// What is to run at the first request.
    var body: Body?

    /// Who gets what is sent; `nil` when it is over.
    var target: Downstream<Output, Failure>?

    /// What is cancelled at the end.
    var resource: (any Cancellable)?
  }

  private let state: Locked<State>

  init(_ body: @escaping Body, target: Downstream<Output, Failure>) {
    state = Locked(State(body: body, target: target))
  }

  var isOver: Bool {
    state.withLock { $0.target == nil }
  }

  func request(_ demand: Subscribers.Demand) {
    guard let body = state.withLock({ $0.body.take() }) else { return }
    let resource = body(Publishers.Create.Emitter(emission: self))
    let isKept = state.withLock { state in
      guard state.target != nil else { return false }
      state.resource = resource
      return true
    }
    // It was over before the closure returned.
    if !isKept { resource.cancel() }
  }

  func send(_ value: Output) {
    // A copy, so that a cancel doesn't wait for the delivery.
    if let target = state.withLock({ $0.target }) { _ = target.next(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let (ended, resource) = end()
    ended?.end(completion)
    resource?.cancel()
  }

  func cancel() {
    let (ended, resource) = end()
    withExtendedLifetime(ended) { resource?.cancel() }
  }

  /// What is let go of leaves with the result: nothing of the user's goes under the lock.
  private func end() -> (target: Downstream<Output, Failure>?, resource: (any Cancellable)?) {
    let released = state.withLock { state in
      (state.body.take(), state.target.take(), state.resource.take())
    }
    return withExtendedLifetime(released.0) { (released.1, released.2) }
  }
}

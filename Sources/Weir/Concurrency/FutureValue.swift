extension Future {
  /// The value; waits until the future has one.
  ///
  /// - Completion and cancellation: throws the failure. If the task is cancelled during the wait, it throws a
  ///   `CancellationError` immediately. The future is not affected.
  /// - Threading: the task resumes on its own executor.
  public final nonisolated(nonsending) var value: Output {
    get async throws {
      let waiter = FutureWaiter<Output, Failure>()
      return try await withTaskCancellationHandler {
        // Safety: only the thread that takes the continuation out of the state resumes it. (`FutureValueTests`)
        try await withUnsafeThrowingContinuation { waiter.wait(for: self, $0) }
      } onCancel: {
        waiter.cancel()
      }
    }
  }
}

extension Future where Failure == Never {
  /// The value; waits until the future has one.
  ///
  /// - Completion and cancellation: a cancelled task continues to wait, because no other result is possible.
  /// - Threading: the task resumes on its own executor.
  public final nonisolated(nonsending) var value: Output {
    get async {
      // Safety: a future that never fails sends one value to each subscriber, so this resumes once.
      // (`FutureValueTests`)
      await withUnsafeContinuation { continuation in
        let sink = Subscribers.Sink<Output, Never>(
          receiveCompletion: { _ in },
          receiveValue: { value in
            // Safety: a future of values that aren't `Sendable` isn't `Sendable` either, so its values stay in its
            // isolation domain. (`FutureValueTests`)
            nonisolated(unsafe) let value = value
            continuation.resume(returning: value)
          })
        subscribe(sink)
      }
    }
  }
}

// Safety: the lock protects all of its state. (`FutureValueTests`)
/// One task that awaits a future and can be cancelled.
private final class FutureWaiter<Output, Failure: Error>: Subscriber, @unchecked Sendable {
  private struct State {
    // Safety: only the thread that takes it out under the lock resumes it. (`FutureValueTests`)
    var continuation: UnsafeContinuation<Output, any Error>?
    var subscription: (any Subscription)?
    var isCancelled = false
  }

  private let state = Locked(State())

  // Safety: it is either stored under the lock or resumed here. (`FutureValueTests`)
  func wait(for future: Future<Output, Failure>, _ continuation: UnsafeContinuation<Output, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) } else { future.subscribe(self) }
  }

  func cancel() {
    let (continuation, subscription) = state.withLock { state in
      state.isCancelled = true
      return (state.continuation.take(), state.subscription.take())
    }
    subscription?.cancel()
    continuation?.resume(throwing: CancellationError())
  }

  func receive(subscription: any Subscription) {
    let isWanted = state.withLock { state in
      if !state.isCancelled { state.subscription = subscription }
      return !state.isCancelled
    }
    if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
  }

  func receive(_ value: Output) -> Subscribers.Demand {
    // Safety: a future of values that aren't `Sendable` isn't `Sendable` either, so its values stay in its isolation
    // domain. (`FutureValueTests`)
    nonisolated(unsafe) let value = value
    takeContinuation()?.resume(returning: value)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { takeContinuation()?.resume(throwing: error) }
  }

  // Safety: it is taken out under the lock, so only one caller receives it. (`FutureValueTests`)
  private func takeContinuation() -> UnsafeContinuation<Output, any Error>? {
    let (continuation, subscription) = state.withLock { ($0.continuation.take(), $0.subscription.take()) }
    withExtendedLifetime(subscription) {}
    return continuation
  }
}

/// Values for tasks that wait for them, one for each wait, and a buffer if one is wanted.
///
/// The upstream holds this, and so does the iteration's `AsyncFeedHandle`, whose end cancels. `Sendable` because all of
/// its state is behind the lock.
@usableFromInline
final class AsyncFeed<Input, Failure: Error>: Subscriber, Cancellable, Described, @unchecked Sendable {
  typealias Machine = AsyncFeedMachine<Input, Failure>

  private let machine: Locked<Machine>

  @usableFromInline
  init(_ buffering: AsyncBuffering? = nil) {
    machine = Locked(Machine(buffering))
  }

  @usableFromInline
  var description: String { "AsyncSubscriber" }

  /// The next value, or nothing at the end; a failure once.
  ///
  /// A task that is cancelled gets nothing, and so does everyone from then on.
  func next(isolation: isolated (any Actor)?) async -> Result<Input?, Failure> {
    await withTaskCancellationHandler {
      // Mentions the caller's actor: else the closure would leave it, and ask the upstream somewhere else.
      await withUnsafeContinuation(isolation: isolation) { waiter in advance { $0.awaited(by: waiter) } }
    } onCancel: {
      cancel()
    }
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    advance { $0.subscribed(subscription) }
  }

  @usableFromInline
  func receive(_ value: Input) -> Subscribers.Demand {
    let (action, demand) = machine.withLock { $0.received(value) }
    perform(action)
    return demand
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    advance { $0.completed(completion) }
  }

  @usableFromInline
  func cancel() {
    advance { $0.cancelled() }
  }

  private func advance(_ event: (inout Machine) -> Machine.Action) {
    perform(machine.withLock(event))
  }

  private func perform(_ action: Machine.Action) {
    switch action {
    case .nothing, .release:
      break  // Let go of with the action.
    case .request(let subscription, let demand):
      subscription.request(demand)
    case .cancel(let subscription):
      subscription.cancel()
    case .resume(let waiter, let result, let subscription):
      subscription?.request(.max(1))
      resume(waiter, with: result)
    case .end(let waiters, let failure, let subscription, _, let cancelling):
      if cancelling { subscription?.cancel() }
      for (index, waiter) in waiters.enumerated() {
        if index == 0, let failure {
          resume(waiter, with: .failure(failure))
        } else {
          resume(waiter, with: .success(nil))
        }
      }
    }
  }

  private func resume(_ waiter: Machine.Waiter, with result: Result<Input?, Failure>) {
    // The publisher hands the value to the task as to any subscriber: who else has it is its own affair.
    nonisolated(unsafe) let result = result
    waiter.resume(returning: result)
  }
}

/// What an iterator holds: when the last copy goes, the subscription is cancelled.
@usableFromInline
final class AsyncFeedHandle<Input, Failure: Error> {
  let feed: AsyncFeed<Input, Failure>

  @usableFromInline
  init(_ feed: AsyncFeed<Input, Failure>) {
    self.feed = feed
  }

  deinit {
    feed.cancel()
  }
}

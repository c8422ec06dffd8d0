// Safety: the lock protects all of its state. (`AsyncPublisherThreadTests`)
/// A subscriber that delivers one value to each waiting task, with an optional buffer.
///
/// The upstream and the iteration's `AsyncFeedHandle` retain it. The handle's `deinit` cancels it.
///
/// A task that has received ``HandOver/limit`` values without a suspension yields before the next one, so that other
/// work on its actor can run. (`AsyncPublisherTests`)
@usableFromInline
final class AsyncFeed<Input, Failure: Error>: Subscriber, Cancellable, OperatorReflectable, @unchecked Sendable {
  @usableFromInline
  typealias Machine = AsyncFeedMachine<Input, Failure>

  @usableFromInline
  let machine: Locked<Machine>

  @usableFromInline
  init(_ buffering: AsyncBuffering? = nil) {
    machine = Locked(Machine(buffering))
  }

  @usableFromInline
  var description: String { "AsyncSubscriber" }

  /// Returns the next value, a failure once, or `nil` after the completion.
  ///
  /// When a task is cancelled, it receives `nil`, and so do all later callers.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> Result<Input?, Failure> {
    await withTaskCancellationHandler {
      // Performance: a value that is available immediately needs no continuation, which is the most expensive part.
      if let answer = takeOrAsk() { return answer }
      return await enqueueAndWait(isolation: isolation)
    } onCancel: {
      cancel()
    }
  }

  /// Returns a value that is buffered, or that the upstream sends synchronously when it is requested.
  @inlinable
  @inline(__always)
  func takeOrAsk() -> Result<Input?, Failure>? {
    switch machine.withLock({ $0.takeOrAsk() }) {
    case .answer(let answer, let subscription):
      subscription.request(.max(1))
      return answer
    case .ask(let subscription):
      subscription.request(.max(1))
      return machine.withLock { $0.takeAfterAsking() }
    case .nothing:
      return nil
    }
  }

  @usableFromInline
  func enqueueAndWait(isolation: isolated (any Actor)?) async -> Result<Input?, Failure> {
    if machine.withLock({ $0.endTurn() }) {
      await Task.yield()
      if let answer = takeOrAsk() { return answer }
    }
    // It captures the caller's actor. Otherwise the closure would leave it, and request from the upstream elsewhere.
    return await wait(isolation: isolation) { waiter in advance { $0.awaited(by: waiter) } }
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let object = subscription._object
    advance { $0.subscribed(object) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    machine.withLock { $0.receivedAhead(value) } ? .none : take(value)
  }

  @usableFromInline
  func take(_ value: Input) -> Subscribers.Demand {
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
      break  // Released with the action.
    case .request(let subscription, let demand):
      subscription.request(demand)
    case .cancel(let subscription):
      subscription.cancel()
    case .resume(let waiter, let answer, let subscription):
      subscription.request(.max(1))
      resume(waiter, with: answer)
    case .end(let waiters, let failure, let subscription, _, let cancelling):
      if cancelling { subscription.cancel() }
      for (index, waiter) in waiters.enumerated() {
        if index == 0, let failure {
          resume(waiter, with: .failure(failure))
        } else {
          resume(waiter, with: .success(nil))
        }
      }
    }
  }

  private func resume(_ waiter: Waiter<Machine.Answer>, with answer: Machine.Answer) {
    // Safety: the machine has released the answer, and resumes one task with it. (`AsyncPublisherTests`)
    nonisolated(unsafe) let answer = answer
    waiter.resume(returning: answer)
  }
}

/// An iterator's reference to a feed; the `deinit` cancels the subscription.
@usableFromInline
final class AsyncFeedHandle<Input, Failure: Error> {
  @usableFromInline
  let feed: AsyncFeed<Input, Failure>

  @usableFromInline
  init(_ feed: AsyncFeed<Input, Failure>) {
    self.feed = feed
  }

  deinit {
    feed.cancel()
  }
}

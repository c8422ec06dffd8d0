// Safety: all of its state is behind the lock. (`AsyncPublisherThreadTests`)
/// Values for tasks that wait for them, one for each wait, and a buffer if one is wanted.
///
/// The upstream holds this, and so does the iteration's `AsyncFeedHandle`, whose end cancels.
///
/// A task that has found ``HandOver/limit`` values without being suspended yields before the next one, so that other work on
/// its actor has its turn. (`AsyncPublisherTests`)
@usableFromInline
final class AsyncFeed<Input, Failure: Error>: Subscriber, Cancellable, Described, @unchecked Sendable {
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

  /// The next value, or nothing at the end; a failure once.
  ///
  /// A task that is cancelled gets nothing, and so does everyone from then on.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> Result<Input?, Failure> {
    await withTaskCancellationHandler {
      // What is there, or comes at once, needs no continuation, which is the dearest part.
      if let answer = look() { return answer }
      return await inLine(isolation: isolation)
    } onCancel: {
      cancel()
    }
  }

  /// What there is, or is when the upstream has been asked.
  @inlinable
  @inline(__always)
  func look() -> Result<Input?, Failure>? {
    switch machine.withLock({ $0.looked() }) {
    case .answer(let answer, let subscription):
      subscription.request(.max(1))
      return answer
    case .ask(let subscription):
      subscription.request(.max(1))
      return machine.withLock { $0.lookedAgain() }
    case .nothing:
      return nil
    }
  }

  @usableFromInline
  func inLine(isolation: isolated (any Actor)?) async -> Result<Input?, Failure> {
    if machine.withLock({ $0.endedTurn() }) {
      await Task.yield()
      if let answer = look() { return answer }
    }
    // Mentions the caller's actor: else the closure would leave it, and ask the upstream somewhere else.
    return await wait(isolation: isolation) { waiter in advance { $0.awaited(by: waiter) } }
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    advance { $0.subscribed(subscription) }
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
      break  // Let go of with the action.
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

/// What an iterator holds: when the last copy goes, the subscription is cancelled.
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

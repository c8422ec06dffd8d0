extension Publisher {
  /// The values as an asynchronous sequence that buffers them until they are awaited.
  ///
  ///     for try await reading in sensor.values(buffering: .newest(1)) { … }
  ///
  /// It throws the publisher's own failure. The sequence of a publisher that never fails is iterated without `try`.
  ///
  /// - Demand: unlimited from the beginning, or with `.suspending` the capacity of the buffer. Then each value that
  ///   leaves the buffer requests one more, so no value of a source that respects demand is dropped.
  /// - Completion and cancellation: the buffered values are delivered before the completion. A cancellation of the task
  ///   cancels the subscription immediately during a wait, and otherwise at the next wait. Leaving the loop cancels
  ///   too. A cancellation drops the buffered values.
  /// - Threading: the first request is made where the iterator is created. Later requests are made on the task's
  ///   executor or, if the task waits, in reply to the value. The task resumes on its own executor. After 200 values
  ///   without a suspension it yields, so that other work on its actor can run.
  /// - Precondition: the buffer has room for at least one value.
  @inlinable
  public func values(buffering: AsyncBuffering) -> AsyncBufferedPublisher<Self> {
    AsyncBufferedPublisher(self, buffering: buffering)
  }
}

/// A publisher as an asynchronous sequence that buffers values until they are awaited.
///
/// - Demand: unlimited, or with `.suspending` the capacity of the buffer.
/// - Completion and cancellation: the buffered values are delivered before the completion. A failure is thrown once,
///   and ends the sequence. Cancelling the awaiting task, or releasing the iterator, cancels the subscription and drops
///   the buffered values.
/// - Threading: the task resumes on its own executor, whichever thread delivers. After 200 values without a suspension
///   it yields, so that other work on its actor can run.
public struct AsyncBufferedPublisher<P: Publisher>: AsyncSequence {
  /// The output type.
  public typealias Element = P.Output

  /// The error type that is thrown; `Never` if the publisher never fails.
  public typealias Failure = P.Failure

  /// The type of the iterator.
  public typealias AsyncIterator = Iterator

  @usableFromInline
  let publisher: P

  @usableFromInline
  let buffering: AsyncBuffering

  /// Creates a sequence of a publisher's values.
  ///
  /// - Precondition: the buffer has room for at least one value.
  @inlinable
  public init(_ publisher: P, buffering: AsyncBuffering) {
    buffering.requireRoom()
    self.publisher = publisher
    self.buffering = buffering
  }

  /// Subscribes to the publisher; each iterator has its own subscription and its own buffer.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    let feed = AsyncFeed<P.Output, P.Failure>(buffering)
    publisher.subscribe(feed)
    return Iterator(AsyncFeedHandle(feed))
  }

  /// Awaits values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The output type.
    public typealias Element = P.Output

    /// The error type that is thrown; `Never` if the publisher never fails.
    public typealias Failure = P.Failure

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, P.Failure>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, P.Failure>) {
      self.handle = handle
    }

    /// Returns the oldest buffered value, or awaits one; `nil` after the completion or the task's cancellation.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(P.Failure) -> P.Output? {
      try await handle.feed.next(isolation: #isolation).get()
    }

    /// Returns the oldest buffered value, or awaits one on the caller's actor.
    ///
    /// It returns `nil` after the completion or the task's cancellation.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
      try await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncBufferedPublisher: Sendable where P: Sendable {}

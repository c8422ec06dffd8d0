extension Publisher {
  /// The values as an asynchronous sequence that keeps those for which nobody waits yet.
  ///
  ///     for try await reading in sensor.values(buffering: .newest(1)) { … }
  ///
  /// It throws the publisher's own failure; that of one which can't fail is iterated without `try`.
  ///
  /// - Demand: unlimited from the beginning, or with `.suspending` what the buffer has room for: a value is asked for
  ///   as one is taken, so a source that waits for demand is never outrun and loses nothing.
  /// - Completion and cancellation: the values that are kept come before the end or the failure. Cancelling the task
  ///   cancels the subscription at once while it waits, else when it waits next; leaving the loop does too. What is kept
  ///   is dropped then.
  /// - Threading: the publisher is asked first where the iterator is made, then where the task is or, if the task waits,
  ///   in answer to the value. The task goes on where it was. After 200 values that were there without waiting it yields,
  ///   so that other work on its actor has its turn.
  /// - Precondition: the buffer has room for at least one value.
  @inlinable
  public func values(buffering: AsyncBuffering) -> AsyncBufferedPublisher<Self> {
    AsyncBufferedPublisher(self, buffering: buffering)
  }
}

/// A publisher as an asynchronous sequence that keeps values until they are awaited.
///
/// - Demand: unlimited, or with `.suspending` what the buffer has room for.
/// - Completion and cancellation: the values that are kept come before the end; a failure is thrown once, and then the
///   sequence has ended. Cancelling the task that awaits, or dropping the iterator, cancels the subscription and drops
///   what is kept.
/// - Threading: the task goes on where it was, whichever thread delivers. After 200 values that were there without waiting
///   it yields, so that other work on its actor has its turn.
public struct AsyncBufferedPublisher<P: Publisher>: AsyncSequence {
  /// The output type.
  public typealias Element = P.Output

  /// The error that is thrown; `Never` if none is.
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

  /// Subscribes to the publisher: each iterator has a subscription and a buffer of its own.
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

    /// The error that is thrown; `Never` if none is.
    public typealias Failure = P.Failure

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, P.Failure>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, P.Failure>) {
      self.handle = handle
    }

    /// The earliest value that is kept, or the next that comes; `nil` after the end, or when the task is cancelled.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(P.Failure) -> P.Output? {
      try await handle.feed.next(isolation: #isolation).get()
    }

    /// The earliest value that is kept, or the next that comes, awaited where the caller is; `nil` after the end, or
    /// when the task is cancelled.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
      try await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncBufferedPublisher: Sendable where P: Sendable {}

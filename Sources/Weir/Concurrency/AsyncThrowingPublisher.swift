extension Publisher {
  /// The values as an asynchronous sequence that may throw: `for try await value in publisher.values`.
  ///
  /// - Demand: one value for each `next()`. Nothing is kept in between: what a publisher that doesn't wait for demand,
  ///   such as a `PassthroughSubject`, sends while nobody awaits it is lost; `values(buffering:)` keeps it.
  /// - Completion and cancellation: the end ends the loop, a failure is thrown. Cancelling the task, or leaving the
  ///   loop, cancels the subscription.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers. After
  ///   200 values that were there without waiting the task yields, so that other work on its actor has its turn.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// A publisher as an asynchronous sequence that throws its failure.
///
/// - Demand: one value for each `next()`. What a publisher sends without waiting for demand is lost in between.
/// - Completion and cancellation: the end ends the sequence; a failure is thrown once, and then it has ended.
///   Cancelling the task that awaits, or dropping the iterator, cancels the subscription.
/// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers. After
///   200 values that were there without waiting the task yields, so that other work on its actor has its turn.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The type of the values.
  public typealias Element = P.Output

  /// The type of the iterator.
  public typealias AsyncIterator = Iterator

  @usableFromInline
  let publisher: P

  /// Makes a sequence of a publisher's values.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes to the publisher: each iterator has a subscription of its own.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    let feed = AsyncFeed<P.Output, P.Failure>()
    publisher.subscribe(feed)
    return Iterator(AsyncFeedHandle(feed))
  }

  /// Awaits values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the values.
    public typealias Element = P.Output

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, P.Failure>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, P.Failure>) {
      self.handle = handle
    }

    /// Asks for a value and awaits it; `nil` after the end, or when the task is cancelled.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws -> P.Output? {
      try await handle.feed.next(isolation: #isolation).get()
    }

    /// Asks for a value and awaits it where the caller is; `nil` after the end, or when the task is cancelled.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      try await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}

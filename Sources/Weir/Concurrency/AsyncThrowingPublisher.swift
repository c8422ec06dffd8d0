extension Publisher {
  /// The values as a throwing asynchronous sequence: `for try await value in publisher.values`.
  ///
  /// - Demand: requests one value for each `next()`. Nothing is buffered: a value that is sent without demand is
  ///   dropped, by a `PassthroughSubject` for instance. Use `values(buffering:)` to buffer such values.
  /// - Completion and cancellation: a normal completion ends the loop, and a failure is thrown. Cancelling the task, or
  ///   leaving the loop, cancels the subscription.
  /// - Threading: values are requested on the task's executor, and the task resumes there, whichever thread delivers.
  ///   After 200 values without a suspension the task yields, so that other work on its actor can run.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// A publisher as an asynchronous sequence that throws its failure.
///
/// - Demand: requests one value for each `next()`. A value that a publisher sends without demand is dropped.
/// - Completion and cancellation: a normal completion ends the sequence. A failure is thrown once, and ends it too.
///   Cancelling the awaiting task, or releasing the iterator, cancels the subscription.
/// - Threading: values are requested on the task's executor, and the task resumes there, whichever thread delivers.
///   After 200 values without a suspension the task yields, so that other work on its actor can run.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The output type.
  public typealias Element = P.Output

  /// The type of the iterator.
  public typealias AsyncIterator = Iterator

  @usableFromInline
  let publisher: P

  /// Creates a sequence of a publisher's values.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes to the publisher; each iterator has its own subscription.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    let feed = AsyncFeed<P.Output, P.Failure>()
    publisher.subscribe(feed)
    return Iterator(AsyncFeedHandle(feed))
  }

  /// Awaits values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The output type.
    public typealias Element = P.Output

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, P.Failure>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, P.Failure>) {
      self.handle = handle
    }

    /// Requests a value and awaits it; returns `nil` after the completion or the task's cancellation.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws -> P.Output? {
      try await handle.feed.next(isolation: #isolation).get()
    }

    /// Requests a value and awaits it on the caller's actor; returns `nil` after the completion or a cancellation.
    ///
    /// - Throws: the publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      try await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}

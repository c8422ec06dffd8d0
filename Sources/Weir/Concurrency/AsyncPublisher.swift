extension Publisher where Failure == Never {
  /// The values as an asynchronous sequence: `for await value in publisher.values`.
  ///
  /// - Demand: requests one value for each `next()`. Nothing is buffered: a value that is sent without demand is
  ///   dropped, by a `PassthroughSubject` for instance. Use `values(buffering:)` to buffer such values.
  /// - Completion and cancellation: the completion ends the loop. Cancelling the task, or leaving the loop, cancels the
  ///   subscription.
  /// - Threading: values are requested on the task's executor, and the task resumes there, whichever thread delivers.
  ///   After 200 values without a suspension the task yields, so that other work on its actor can run.
  @inlinable
  public var values: AsyncPublisher<Self> {
    AsyncPublisher(self)
  }
}

/// A publisher that never fails, as an asynchronous sequence.
///
/// - Demand: requests one value for each `next()`. A value that a publisher sends without demand is dropped.
/// - Completion and cancellation: the completion ends the sequence. Cancelling the awaiting task, or releasing the
///   iterator, cancels the subscription.
/// - Threading: values are requested on the task's executor, and the task resumes there, whichever thread delivers.
///   After 200 values without a suspension the task yields, so that other work on its actor can run.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
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
    let feed = AsyncFeed<P.Output, Never>()
    publisher.subscribe(feed)
    return Iterator(AsyncFeedHandle(feed))
  }

  /// Awaits values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The output type.
    public typealias Element = P.Output

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, Never>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, Never>) {
      self.handle = handle
    }

    /// Requests a value and awaits it; returns `nil` after the completion or the task's cancellation.
    @inlinable
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      await handle.feed.next(isolation: #isolation).get()
    }

    /// Requests a value and awaits it on the caller's actor; returns `nil` after the completion or a cancellation.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncPublisher: Sendable where P: Sendable {}

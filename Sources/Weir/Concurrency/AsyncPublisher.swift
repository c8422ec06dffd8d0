extension Publisher where Failure == Never {
  /// The values as an asynchronous sequence: `for await value in publisher.values`.
  ///
  /// - Demand: one value for each `next()`. Nothing is kept in between: what a publisher that doesn't wait for demand,
  ///   such as a `PassthroughSubject`, sends while nobody awaits it is lost; `values(buffering:)` keeps it.
  /// - Completion and cancellation: the end ends the loop. Cancelling the task, or leaving the loop, cancels the
  ///   subscription.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers. After
  ///   200 values that were there without waiting the task yields, so that other work on its actor has its turn.
  @inlinable
  public var values: AsyncPublisher<Self> {
    AsyncPublisher(self)
  }
}

/// A publisher that can't fail, as an asynchronous sequence.
///
/// - Demand: one value for each `next()`. What a publisher sends without waiting for demand is lost in between.
/// - Completion and cancellation: the end ends the sequence. Cancelling the task that awaits, or dropping the iterator,
///   cancels the subscription.
/// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers. After
///   200 values that were there without waiting the task yields, so that other work on its actor has its turn.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
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
    let feed = AsyncFeed<P.Output, Never>()
    publisher.subscribe(feed)
    return Iterator(AsyncFeedHandle(feed))
  }

  /// Awaits values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the values.
    public typealias Element = P.Output

    @usableFromInline
    let handle: AsyncFeedHandle<P.Output, Never>

    @usableFromInline
    init(_ handle: AsyncFeedHandle<P.Output, Never>) {
      self.handle = handle
    }

    /// Asks for a value and awaits it; `nil` after the end, or when the task is cancelled.
    @inlinable
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      await handle.feed.next(isolation: #isolation).get()
    }

    /// Asks for a value and awaits it where the caller is; `nil` after the end, or when the task is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      await handle.feed.next(isolation: actor).get()
    }
  }
}

extension AsyncPublisher: Sendable where P: Sendable {}

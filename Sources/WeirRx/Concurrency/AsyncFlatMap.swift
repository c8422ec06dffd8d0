public import Weir

extension Publisher where Output: Sendable {
  /// Makes a publisher of each value, which is awaited, and sends on what all of those send, as it comes.
  ///
  /// - Demand: `maxPublishers` values are asked of this publisher at first, and one more whenever one of the others has
  ///   finished. Unlimited demand goes to all of those; with a finite demand each is asked for one value ahead.
  /// - Completion and cancellation: finishes when this publisher and all of the others have. The first failure, or what a
  ///   call throws, ends the whole. A cancel cancels the tasks of all calls and all of the publishers.
  /// - Threading: each call has a task, which runs where the closure says (`{ @MainActor in … }`) or outside of any
  ///   actor, and its publisher is subscribed to there. Values are delivered one at a time.
  ///
  /// - Parameters:
  ///   - maxPublishers: how many calls and publishers may be under way together.
  ///   - transform: what makes a publisher of a value.
  /// - Returns: a publisher of what those publishers send.
  public func asyncFlatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> sending P
  ) -> Publishers.AsyncFlatMap<Self, P> where P.Failure == Failure {
    Publishers.AsyncFlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what the publishers send that an awaited closure makes of the upstream's values.
  public struct AsyncFlatMap<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output: Sendable, NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the publishers that the closure makes.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first to fail, or what the closure throws.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values become publishers.
    public let upstream: Upstream

    /// How many of them may be under way.
    public let maxPublishers: Subscribers.Demand

    /// What makes a publisher of a value.
    public let transform:
      @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> sending NewPublisher

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    ///
    /// - Precondition: at least one call may be under way.
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform:
        @escaping @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> sending NewPublisher
    ) {
      requireAsyncCalls(maxPublishers)
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.flatMap(maxPublishers: maxPublishers) { [transform] value in
        AsyncSequencePublisher(Once(value: value, call: transform), isolation: transform.isolation).flatMap { $0 }
      }
      ._attach(downstream)
    }
  }
}

extension Publishers.AsyncFlatMap: Sendable where Upstream: Sendable {}

/// What one call gives, as a sequence.
private struct Once<Value: Sendable, Element, Failure: Error>: AsyncSequence, Sendable {
  let value: Value
  let call: @Sendable @isolated(any) (Value) async throws(Failure) -> sending Element

  struct AsyncIterator: AsyncIteratorProtocol {
    var once: Once?

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let once = once.take() else { return nil }
      return try await once.call(once.value)
    }

    mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(once: self)
  }
}

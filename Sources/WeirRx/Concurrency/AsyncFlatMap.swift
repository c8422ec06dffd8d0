public import Weir

extension Publisher where Output: Sendable {
  /// Maps each value to a publisher by an asynchronous closure, and merges the values of these publishers.
  ///
  /// - Demand: requests `maxPublishers` values from this publisher, and one more each time an inner publisher has
  ///   finished and its values have been delivered. Unlimited demand is forwarded to every inner publisher. With finite
  ///   demand, one value ahead is requested from each inner publisher.
  /// - Completion and cancellation: finishes when this publisher and all inner publishers have finished. The first
  ///   failure, or the first error that a call throws, terminates the operator. Cancellation cancels the tasks of all
  ///   calls and all inner publishers.
  /// - Threading: each call runs in a task, on the closure's actor (`{ @MainActor in … }`) or outside any actor. Its
  ///   publisher is subscribed to there. Delivery is serialized.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of calls and inner publishers in flight.
  ///   - transform: A closure that maps a value to a publisher, or a function that returns sendable publishers.
  /// - Returns: A publisher of the inner publishers' values.
  public func asyncFlatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> sending P
  ) -> Publishers.AsyncFlatMap<Self, P> where P.Failure == Failure {
    Publishers.AsyncFlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Maps each value to a publisher by an asynchronous function, and merges the values of these publishers.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure.
  @_documentation(visibility: internal)
  public func asyncFlatMap<P: Publisher & Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> P
  ) -> Publishers.AsyncFlatMap<Self, P> where P.Failure == Failure {
    Publishers.AsyncFlatMap(upstream: self, maxPublishers: maxPublishers, transform: sendingResult(transform))
  }

  /// Maps each value to a publisher by an asynchronous function that runs on its caller's actor, and merges the values
  /// of these publishers.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure. The function runs outside any actor.
  @_documentation(visibility: internal)
  public func asyncFlatMap<Input, P: Publisher & Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: nonisolated(nonsending) @escaping @Sendable (Input) async throws(Failure) -> P
  ) -> Publishers.AsyncFlatMap<Self, P> where P.Failure == Failure, Input == Output {
    Publishers.AsyncFlatMap(upstream: self, maxPublishers: maxPublishers) { value async throws(Failure) in
      try await transform(value)
    }
  }
}

extension Publishers {
  /// A publisher that maps each value to an inner publisher asynchronously and merges their values.
  public struct AsyncFlatMap<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output: Sendable, NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the inner publishers.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first inner publisher to fail, or the error that the closure throws.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of calls and inner publishers in flight.
    public let maxPublishers: Subscribers.Demand

    /// The closure that maps a value to a publisher.
    public let transform:
      @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> sending NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    ///
    /// - Precondition: `maxPublishers` is at least one.
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
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.flatMap(maxPublishers: maxPublishers) { [transform] value in
        AsyncSequencePublisher(sentBy: Once(value: value, call: transform), isolation: transform.isolation)
          .switchToLatest()
      }
      ._attach(downstream)
    }
  }
}

extension Publishers.AsyncFlatMap: Sendable where Upstream: Sendable {}

/// A sequence of the one result of a call.
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

public import Weir

extension Publisher where Output: Sendable {
  /// Maps each value by an asynchronous closure, and delivers the results in order.
  ///
  /// The results have the order of the values, however many calls are in flight.
  ///
  /// - Demand: requests as many values from this publisher as the downstream requests, at most `maxPublishers`, and one
  ///   more each time a result is delivered. So the operator receives a value only if its call can start. At most
  ///   `maxPublishers` calls and undelivered results exist at any time. A subject doesn't wait: it drops the values that
  ///   come in the meantime, unless `onBackpressureBuffer()` stands between both.
  /// - Completion and cancellation: completes as this publisher does, after all results have been delivered. An error
  ///   that a call throws is delivered after the results before it; this publisher and the later calls are cancelled
  ///   immediately. Cancellation cancels the tasks of all calls, and no other call starts.
  /// - Threading: each call runs in a task, on the closure's actor (`{ @MainActor in … }`) or outside any actor. The
  ///   task that has the next result delivers it there. Delivery is serialized.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of calls in flight. With `.unlimited`, downstream demand is the only limit.
  ///   - transform: A closure that maps a value to a result, or a function that returns sendable results.
  /// - Returns: A publisher of the results, in the order of the values.
  @inlinable
  public func asyncMap<T>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> sending T
  ) -> Publishers.AsyncMap<Self, T> {
    Publishers.AsyncMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Maps each value by an asynchronous closure that can throw any error, and delivers the results in order.
  ///
  /// - Demand, completion and cancellation, threading: see ``asyncMap(maxPublishers:_:)``.
  @inlinable
  public func tryAsyncMap<T>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws -> sending T
  ) -> Publishers.AsyncMap<Publishers.MapError<Self, any Error>, T> {
    Publishers.AsyncMap(upstream: mapError { $0 }, maxPublishers: maxPublishers, transform: transform)
  }
}

// A function doesn't convert to one that sends its result, even if the result is sendable. These methods alone aren't
// enough: between a closure of several statements and `sink { print($0) }`, the compiler infers the result `Any`.
extension Publisher where Output: Sendable {
  /// Maps each value by an asynchronous function, and delivers the results in order.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure.
  @_documentation(visibility: internal)
  @inlinable
  public func asyncMap<T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> T
  ) -> Publishers.AsyncMap<Self, T> {
    Publishers.AsyncMap(upstream: self, maxPublishers: maxPublishers, transform: sendingResult(transform))
  }

  /// Maps each value by an asynchronous function that can throw any error, and delivers the results in order.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure.
  @_documentation(visibility: internal)
  @inlinable
  public func tryAsyncMap<T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws -> T
  ) -> Publishers.AsyncMap<Publishers.MapError<Self, any Error>, T> {
    Publishers.AsyncMap(upstream: mapError { $0 }, maxPublishers: maxPublishers, transform: sendingResult(transform))
  }
}

// A client with the feature `NonisolatedNonsendingByDefault` has functions of this kind. `Input` distinguishes the methods
// from those above: how a parameter is isolated does not.
extension Publisher where Output: Sendable {
  /// Maps each value by an asynchronous function that runs on its caller's actor, and delivers the results in order.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure. The function runs outside any actor.
  @_documentation(visibility: internal)
  @inlinable
  public func asyncMap<Input, T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: nonisolated(nonsending) @escaping @Sendable (Input) async throws(Failure) -> T
  ) -> Publishers.AsyncMap<Self, T> where Input == Output {
    Publishers.AsyncMap(upstream: self, maxPublishers: maxPublishers) { value async throws(Failure) in
      try await transform(value)
    }
  }

  /// Maps each value by an asynchronous function that runs on its caller's actor and can throw any error, and delivers
  /// the results in order.
  ///
  /// - Demand, completion and cancellation, threading: as for a closure. The function runs outside any actor.
  @_documentation(visibility: internal)
  @inlinable
  public func tryAsyncMap<Input, T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> T
  ) -> Publishers.AsyncMap<Publishers.MapError<Self, any Error>, T> where Input == Output {
    Publishers.AsyncMap(upstream: mapError { $0 }, maxPublishers: maxPublishers) { try await transform($0) }
  }
}

/// The function, as one that sends its result.
@usableFromInline
func sendingResult<Value, T: Sendable, Failure: Error>(
  _ transform: @escaping @Sendable @isolated(any) (Value) async throws(Failure) -> T
) -> @Sendable @isolated(any) (Value) async throws(Failure) -> sending T {
  // Safety: a sendable result can always be sent, and `sending` doesn't change how a function is called.
  // (`AsyncMapTests/functions`)
  unsafeBitCast(transform, to: (@Sendable @isolated(any) (Value) async throws(Failure) -> sending T).self)
}

extension Publishers {
  /// A publisher that maps each value by an asynchronous closure, in order.
  public struct AsyncMap<Upstream: Publisher, Output>: _DirectPublisher where Upstream.Output: Sendable {
    /// The failure is the upstream's, or the error that the closure throws.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of calls in flight.
    public let maxPublishers: Subscribers.Demand

    /// The closure that maps a value to a result.
    public let transform: @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> sending Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    ///
    /// - Precondition: `maxPublishers` is at least one.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> sending Output
    ) {
      requireAsyncCalls(maxPublishers)
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let machine = AsyncMapMachine<Upstream.Output, Output, Failure>(limit: maxPublishers)
      let coordinator = Coordinator("AsyncMap", consume machine, downstream: downstream) {
        [transform] coordinator, effect in
        let (number, value) = effect
        let call = AsyncCall<Upstream.Output, Output, Failure> { result in
          switch result {
          case .success(let output): coordinator.receive(.b(output), from: number)
          case .failure(let error): coordinator.completed(number, .failure(error))
          }
        }
        // The coordinator receives the call before the call starts, so that a concurrent cancellation reaches it.
        coordinator.subscribed(to: number, call)
        call.begin(transform, value)
      }
      coordinator.attach(to: upstream, as: 0) { .a($0) }
    }
  }
}

extension Publishers.AsyncMap: Sendable where Upstream: Sendable {}

/// Stops the program if no call could ever start.
@usableFromInline
func requireAsyncCalls(_ limit: Subscribers.Demand) {
  if limit == .none { fatalError("asyncMap and asyncFlatMap require maxPublishers of .max(1) or more, not .none.") }
}

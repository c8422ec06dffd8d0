public import Weir

extension Publisher where Output: Sendable {
  /// Sends on what a closure makes of each value, which is awaited; in order.
  ///
  /// What comes is what the closure would give called for one value after the other, however many calls are under way.
  ///
  /// - Demand: so many values are asked of this publisher as there is demand for, `maxPublishers` at the most, and one
  ///   more whenever a result has gone out: so a value is only taken if its call may begin, and no more than that many
  ///   calls and results wait at any time.
  /// - Completion and cancellation: finishes, or fails as this publisher does, when the results have gone out. What a
  ///   call throws fails in its turn, after the results before it; this publisher and the calls after it are cancelled at
  ///   once. A cancel cancels the tasks of all calls, and no other begins.
  /// - Threading: each call has a task, which runs where the closure says (`{ @MainActor in … }`) or outside of any
  ///   actor. Results are delivered there, one at a time, by the task that has the next one.
  ///
  /// - Parameters:
  ///   - maxPublishers: how many calls may be under way; with `.unlimited` as many as there is demand for.
  ///   - transform: what makes a result of a value.
  /// - Returns: a publisher of the results, in the order of the values.
  @inlinable
  public func asyncMap<T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws(Failure) -> T
  ) -> Publishers.AsyncMap<Self, T> {
    Publishers.AsyncMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Sends on what a closure makes of each value, which is awaited and may throw anything; in order.
  ///
  /// Its demand, its end and its threads are those of ``asyncMap(maxPublishers:_:)``.
  @inlinable
  public func tryAsyncMap<T: Sendable>(
    maxPublishers: Subscribers.Demand = .max(1),
    _ transform: @escaping @Sendable @isolated(any) (Output) async throws -> T
  ) -> Publishers.AsyncMap<Publishers.MapError<Self, any Error>, T> {
    Publishers.AsyncMap(upstream: mapError { $0 }, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what an awaited closure makes of the upstream's values, in order.
  public struct AsyncMap<Upstream: Publisher, Output: Sendable>: _DirectPublisher where Upstream.Output: Sendable {
    /// The failure is the upstream's, or what the closure throws.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values the closure is called with.
    public let upstream: Upstream

    /// How many calls may be under way.
    public let maxPublishers: Subscribers.Demand

    /// What makes a result of a value.
    public let transform: @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> Output

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    ///
    /// - Precondition: at least one call may be under way.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable @isolated(any) (Upstream.Output) async throws(Upstream.Failure) -> Output
    ) {
      requireAsyncCalls(maxPublishers)
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let machine = AsyncMapMachine<Upstream.Output, Output, Failure>(limit: maxPublishers)
      let coordinator = Coordinator("AsyncMap", machine, downstream: downstream) { [transform] coordinator, effect in
        let (number, value) = effect
        let call = AsyncCall<Upstream.Output, Output, Failure> { result in
          switch result {
          case .success(let output): coordinator.receive(.b(output), from: number)
          case .failure(let error): coordinator.completed(number, .failure(error))
          }
        }
        // Known before it begins: a cancel that comes meanwhile finds it.
        coordinator.subscribed(to: number, call)
        call.begin(transform, value)
      }
      coordinator.attach(to: upstream, as: 0) { .a($0) }
    }
  }
}

extension Publishers.AsyncMap: Sendable where Upstream: Sendable {}

/// Ends the program if no call could ever begin.
@usableFromInline
func requireAsyncCalls(_ limit: Subscribers.Demand) {
  if limit == .none { fatalError("Of no calls no results can come: give maxPublishers of .max(1) or more.") }
}

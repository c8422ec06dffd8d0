extension Publisher {
  /// Combines each value with what came of those before it, and sends every result.
  ///
  ///     source       -1-2-3-|
  ///     .scan(0, +)  -1-3-6-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged. The initial result is not sent.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of all the results of combining each value with those before it.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// What the first value is combined with.
    public let initialResult: Output

    /// What combines a result and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
      upstream.attach(Scanner(initialResult, nextPartialResult, downstream: subscriber))
    }
  }
}

/// Keeps the result so far and nothing else: the upstream's own subscription goes on downstream, as in Combine.
@usableFromInline
final class Scanner<Input, Downstream: Subscriber>: Subscriber, Described {
  @usableFromInline
  typealias Failure = Downstream.Failure

  // Touched by the delivery alone, which the upstream keeps serial.
  @usableFromInline
  @exclusivity(unchecked)
  var result: Downstream.Input

  @usableFromInline
  let combine: (Downstream.Input, Input) -> Downstream.Input

  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(
    _ initial: Downstream.Input, _ combine: @escaping (Downstream.Input, Input) -> Downstream.Input,
    downstream: Downstream
  ) {
    result = initial
    self.combine = combine
    self.downstream = downstream
  }

  @usableFromInline
  var description: String { "Scan" }

  @usableFromInline
  var reflected: [Mirror.Child] { [("downstream", downstream), ("result", Downstream.Input.self)] }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    result = combine(result, input)
    return downstream.receive(result)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
  }
}

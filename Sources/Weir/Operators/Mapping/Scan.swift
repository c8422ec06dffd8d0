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
final class Scanner<Input, Downstream: Subscriber>: _GuardedSubscriber, Described {
  @usableFromInline
  typealias Failure = Downstream.Failure

  // Safety: one thread at a time delivers, see `Driver`. Only that thread accesses the two properties below.
  // `reentrancy` keeps calls out that the closure, or the `deinit` of a result, makes while the result is being
  // changed. (`ReentrancyTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var result: Downstream.Input

  @usableFromInline
  @exclusivity(unchecked)
  var reentrancy = ReentrancyGuard<Input, Failure>()

  @usableFromInline
  let combine: (Downstream.Input, Input) -> Downstream.Input

  @usableFromInline
  let downstream: Concluding<Downstream>

  @inlinable
  init(
    _ initial: Downstream.Input, _ combine: @escaping (Downstream.Input, Input) -> Downstream.Input,
    downstream: Downstream
  ) {
    result = initial
    self.combine = combine
    self.downstream = Concluding(downstream)
  }

  @inlinable
  var _gates: AnyObject? { downstream.subscriber._gates }

  @usableFromInline
  var description: String { "Scan" }

  @usableFromInline
  var reflected: [Mirror.Child] { [("downstream", downstream.subscriber), ("result", Downstream.Input.self)] }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard reentrancy.begin() else { return enqueue(input) }
    let next = combine(result, input)
    result = next
    reentrancy.end()
    let more = downstream.receive(next)
    return reentrancy.isPending ? drain(answering: more) : more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard reentrancy.begin() else { return reentrancy.enqueue(.completion(completion)) }
    reentrancy.end()
    downstream.receive(completion: completion)
  }

  @inlinable
  @inline(never)
  func enqueue(_ input: Input) -> Subscribers.Demand {
    reentrancy.enqueue(.value(input))
    return .none
  }

  /// Handles what arrived while the result was being changed.
  ///
  /// Performance: never specialized, see `Driver.drain(answering:)`.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    while let events = reentrancy.takePending() {
      for event in events {
        switch event {
        case .value(let input):
          let next = combine(result, input)
          result = next
          more += downstream.receive(next)
        case .completion(let completion): downstream.receive(completion: completion)
        }
      }
    }
    return more
  }
}

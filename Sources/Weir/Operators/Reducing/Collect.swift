extension Publisher {
  /// Gathers all values into one array, which is sent before the completion.
  ///
  ///     source      -1-2-3-|
  ///     .collect()  -------('[1, 2, 3]'|)
  ///
  /// - Demand: requests unlimited values from the upstream. The array is delivered when there is demand. Memory use
  ///   grows with the number of values, without a limit.
  /// - Completion and cancellation: without any value the array is empty. A failure drops the array.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// A publisher of one array of all the upstream's values.
  @frozen
  public struct Collect<Upstream: Publisher>: _DirectPublisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: CollectOperator())
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publishers.Collect: Sendable where Upstream: Sendable {}

@usableFromInline
struct CollectOperator<Input, Failure: Error>: InfallibleOperator, ReducingOperator {
  @usableFromInline
  var values: [Input] = []

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Collect" }

  @inlinable
  static var runsUserCode: Bool { false }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.state("count", Int.self)] }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<[Input], Failure> {
    values.append(input)
    return .skip
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> OperatorCompletion<[Input], Failure> {
    if case .failure = completion { return .complete(completion) }
    return .emit(values)
  }
}

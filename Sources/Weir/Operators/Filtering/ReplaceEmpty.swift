extension Publisher {
  /// Sends a value if the upstream finishes without one.
  ///
  ///     source                  -----|
  ///     .replaceEmpty(with: 0)  -----(0|)
  ///
  /// - Demand: forwarded unchanged. The replacement is delivered when there is demand.
  /// - Completion and cancellation: if the upstream finishes without a value, the replacement is delivered before the
  ///   completion. All other completions and cancellations are forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that sends a value if its upstream finishes without one.
  @frozen
  public struct ReplaceEmpty<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The replacement.
    public let output: Upstream.Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: ReplaceEmptyOperator(output))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

@usableFromInline
struct ReplaceEmptyOperator<Input, Failure: Error>: InfallibleOperator {
  @usableFromInline
  let output: Input

  @usableFromInline
  var isEmpty = true

  @inlinable
  init(_ output: Input) {
    self.output = output
  }

  @usableFromInline
  static var name: StaticString { "ReplaceEmpty" }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  static var requestsReturnedDemand: Bool { true }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    isEmpty = false
    return .emit(input)
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> OperatorCompletion<Input, Failure> {
    guard isEmpty, case .finished = completion else { return .complete(completion) }
    return .emit(output)
  }
}

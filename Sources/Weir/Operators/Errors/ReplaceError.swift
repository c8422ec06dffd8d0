extension Publisher {
  /// Replaces a failure by a last value.
  ///
  ///     source                  -1-2-#
  ///     .replaceError(with: 0)  -1-2-(0|)
  ///
  /// - Demand: forwarded unchanged. The replacement is delivered when there is demand.
  /// - Completion and cancellation: a failure becomes the replacement value and a normal completion. A normal
  ///   completion and a cancellation are forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that replaces its upstream's failure by a last value.
  @frozen
  public struct ReplaceError<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// This publisher never fails.
    public typealias Failure = Never

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
      upstream.attach(downstream, through: ReplaceErrorOperator(output))
    }
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

@usableFromInline
struct ReplaceErrorOperator<Input, UpstreamFailure: Error>: StatefulOperator {
  @usableFromInline
  typealias Failure = Never

  @usableFromInline
  let output: Input

  @inlinable
  init(_ output: Input) {
    self.output = output
  }

  @usableFromInline
  static var name: StaticString { "ReplaceError" }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Never> {
    .emit(input)
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Input, Never> {
    switch completion {
    case .finished: .complete(.finished)
    case .failure: .emit(output)
    }
  }
}

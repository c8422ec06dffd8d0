extension Publisher where Output: Equatable {
  /// Sends whether a value is among those of this publisher.
  ///
  ///     source        -1-(2!)
  ///     .contains(2)  ---('true'|)
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: the first equal value cancels the upstream, and the result is `true`. Without one
  ///   the result is `false`.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher of whether a value is among the upstream's.
  @frozen
  public struct Contains<Upstream: Publisher>: _DirectPublisher where Upstream.Output: Equatable {
    /// Whether the condition holds.
    public typealias Output = Bool

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The value to find.
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
      upstream.attach(
        downstream, through: ContainsWhereOperator<_, NonThrowing<Failure>>(true) { [output] in $0 == output },
        named: "Contains")
    }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

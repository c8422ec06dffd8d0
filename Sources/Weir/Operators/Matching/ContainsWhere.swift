// .ci/twins writes TryContainsWhere.swift from this file.

extension Publisher {
  /// Sends whether a predicate is true for any value.
  ///
  ///     source                        -1-2-3-|
  ///     .contains(where: { $0 > 5 })  -------('false'|)
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: the first such value cancels the upstream, and the result is `true`. Without one
  ///   the result is `false`.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a predicate is true for any of the upstream's values.
  @frozen
  public struct ContainsWhere<Upstream: Publisher>: _DirectPublisher {
    /// Whether the condition holds.
    public typealias Output = Bool

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: ContainsWhereOperator<_, NonThrowing<Failure>>(true, predicate))
    }
  }
}

/// Finds the first value for which the predicate returns `sought`.
///
/// The result is `sought` if there is one, and `!sought` otherwise.
@usableFromInline
struct ContainsWhereOperator<Input, Path: FailureMapping>: ThrowingOperator, ReducingOperator {
  @usableFromInline
  let sought: Bool

  @usableFromInline
  let predicate: (Input) throws -> Bool

  @inlinable
  init(_ sought: Bool, _ predicate: @escaping (Input) throws -> Bool) {
    self.sought = sought
    self.predicate = predicate
  }

  @usableFromInline
  static var name: StaticString { "ContainsWhere" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Bool, Path.Failure> {
    try predicate(input) == sought ? .emitAndFinish(sought) : .skip
  }

  @inlinable
  var result: Bool? { !sought }
}

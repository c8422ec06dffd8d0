extension Publisher {
  /// Tells whether a closure is true for any value.
  ///
  ///     source                        -1-2-3-|
  ///     .contains(where: { $0 > 5 })  -------('false'|)
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: cancels the upstream at that value; without one the answer at the end is false.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a closure is true for any of the upstream's values.
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
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: ContainsWhereWork<_, Sure<Failure>>(true, predicate))
    }
  }
}

/// Looks for a value of which a closure says what is sought: the answer is that then, and else the contrary.
@usableFromInline
struct ContainsWhereWork<Input, Path: FailurePath>: TryingOperation {
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

  @usableFromInline
  static var mirrored: [MirrorPart] { .result(Bool.self) }

  @inlinable
  var policy: Link.Policy { .unlimited }

  @inlinable
  mutating func attempt(_ input: Input) throws -> Step<Bool, Path.Failure> {
    try predicate(input) == sought ? .emitAndFinish(sought) : .skip
  }

  @inlinable
  var result: Bool? { !sought }
}

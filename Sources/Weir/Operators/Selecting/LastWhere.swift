extension Publisher {
  /// Sends the last value for which a closure is true, at the end.
  ///
  ///     source                    -1-2-3-|
  ///     .last(where: { $0 < 3 })  -------(2|)
  ///
  /// - Demand: asks for everything; the value waits for demand.
  /// - Completion and cancellation: without such a value it finishes. A failure drops the value.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value for which a closure is true.
  @frozen
  public struct LastWhere<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells whether a value is the one.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: LastWhereWork<_, Sure<Failure>>(predicate))
    }
  }
}

@usableFromInline
struct LastWhereWork<Input, Path: FailurePath>: TryingOperation {
  @usableFromInline
  let isMatch: (Input) throws -> Bool

  @usableFromInline
  var result: Input?

  @inlinable
  init(_ isMatch: @escaping (Input) throws -> Bool) {
    self.isMatch = isMatch
  }

  @usableFromInline
  static var name: StaticString { "LastWhere" }

  @usableFromInline
  static var mirrored: [MirrorPart] { .result(Input.self) }

  @inlinable
  var policy: Link.Policy { .unlimited }

  @inlinable
  mutating func attempt(_ input: Input) throws -> Step<Input, Path.Failure> {
    if try isMatch(input) { result = input }
    return .skip
  }
}

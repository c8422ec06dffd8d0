// .ci/twins writes TryDropWhile.swift from this file.

extension Publisher {
  /// Drops values until a predicate is false for the first time.
  ///
  ///     source                    -1-2-3-1-|
  ///     .drop(while: { $0 < 3 })  -----3-1-|
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers, until it returns `false`.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values from the first for which a predicate is false.
  @frozen
  public struct DropWhile<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate; it is not called again after it has returned `false`.
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
      upstream.attach(downstream, through: DropWhileOperator<_, NonThrowing<Failure>>(predicate))
    }
  }
}

@usableFromInline
struct DropWhileOperator<Input, Path: FailureMapping>: ThrowingOperator {
  @usableFromInline
  let predicate: (Input) throws -> Bool

  @usableFromInline
  var isDropping = true

  @inlinable
  init(_ predicate: @escaping (Input) throws -> Bool) {
    self.predicate = predicate
  }

  @usableFromInline
  static var name: StaticString { "DropWhile" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, Path.Failure> {
    if isDropping, try predicate(input) { return .skip }
    isDropping = false
    return .emit(input)
  }
}

extension Publisher {
  /// Drops each value that a throwing closure considers equivalent to the last value that was sent.
  ///
  ///     source                             -1-1-2-(0!)
  ///     .tryRemoveDuplicates(by: areSame)  -1---2-#
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers. Its first argument is the last value
  ///   that was sent.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values that differ from the previous one, compared by a throwing closure.
  @frozen
  public struct TryRemoveDuplicates<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that decides whether two values are equivalent.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryRemoveDuplicatesOperator(predicate))
    }
  }
}

@usableFromInline
struct TryRemoveDuplicatesOperator<Input, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  var last: Input?

  @usableFromInline
  let isSame: (Input, Input) throws -> Bool

  @inlinable
  init(_ isSame: @escaping (Input, Input) throws -> Bool) {
    self.isSame = isSame
  }

  @usableFromInline
  static var name: StaticString { "TryRemoveDuplicates" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .growing("last", from: Input?.none as Any)] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, any Error> {
    if let last, try isSame(last, input) { return .skip }
    last = input
    return .emit(input)
  }
}

// .ci/twins writes TryRemoveDuplicates.swift from this file.

extension Publisher where Output: Equatable {
  /// Drops each value that equals the previous one.
  ///
  ///     source               -1-1-2-2-1-|
  ///     .removeDuplicates()  -1---2---1-|
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates { $0 == $1 }
  }
}

extension Publisher {
  /// Drops each value that a closure considers equivalent to the last value that was sent.
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers. Its first argument is the last value
  ///   that was sent.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values that differ from the previous one.
  @frozen
  public struct RemoveDuplicates<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that decides whether two values are equivalent.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: RemoveDuplicatesOperator(predicate))
    }
  }
}

@usableFromInline
struct RemoveDuplicatesOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  var last: Input?

  @usableFromInline
  let isSame: (Input, Input) -> Bool

  @inlinable
  init(_ isSame: @escaping (Input, Input) -> Bool) {
    self.isSame = isSame
  }

  @usableFromInline
  static var name: StaticString { "RemoveDuplicates" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .growing("last", from: Input?.none as Any)] }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    if let last, isSame(last, input) { return .skip }
    last = input
    return .emit(input)
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

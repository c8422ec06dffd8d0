extension Publisher where Output: Equatable {
  /// Leaves out each value that equals the one before it.
  ///
  ///     source               -1-1-2-2-1-|
  ///     .removeDuplicates()  -1---2---1-|
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates { $0 == $1 }
  }
}

extension Publisher {
  /// Leaves out each value that a closure takes for the same as the last one that passed.
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: the closure runs where the upstream delivers; its first argument is the last value that passed.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values that differ from the one before them.
  @frozen
  public struct RemoveDuplicates<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells whether two values are the same.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: RemoveDuplicatesWork(isSame: predicate))
    }
  }
}

@usableFromInline
struct RemoveDuplicatesWork<Input, UpstreamFailure: Error>: Operation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  var last: Input?

  @usableFromInline
  let isSame: (Input, Input) -> Bool

  @inlinable
  init(isSame: @escaping (Input, Input) -> Bool) {
    self.isSame = isSame
  }

  @usableFromInline
  static var name: StaticString { "RemoveDuplicates" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .growing("last", from: Input?.none as Any)] }

  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> Step<Input, Failure> {
    if let last, isSame(last, input) { return .skip }
    last = input
    return .emit(input)
  }
}

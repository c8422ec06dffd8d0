public import Weir

extension Publisher {
  /// Sends each value together with the previous one.
  ///
  ///     source       -a-b   -c   -|
  ///     .pairwise()  ---'ab'-'bc'-|
  ///
  /// - Demand: unchanged, plus one value for the first value, which has no predecessor.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func pairwise() -> Publishers.Pairwise<Self> {
    Publishers.Pairwise(upstream: self)
  }

  /// Sends each value together with its predecessors, as arrays of `size` values.
  ///
  ///     source     -a-b-c          -d          -|
  ///     .nwise(3)  -----'[a, b, c]'-'[b, c, d]'-|
  ///
  /// - Demand: unchanged, plus one value for each of the first values, which have too few predecessors.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  ///
  /// - Precondition: `size` is positive.
  @inlinable
  public func nwise(_ size: Int) -> Publishers.Nwise<Self> {
    Publishers.Nwise(upstream: self, size: size)
  }
}

extension Publishers {
  /// A publisher of the upstream's values, each with the previous one.
  public struct Pairwise<Upstream: Publisher>: _DirectPublisher {
    /// A value and its successor.
    public typealias Output = (Upstream.Output, Upstream.Output)

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: PairwiseOperator<Upstream.Output, Failure>())
    }
  }

  /// A publisher of arrays of the upstream's values, each with its predecessors.
  public struct Nwise<Upstream: Publisher>: _DirectPublisher {
    /// `size` consecutive values.
    public typealias Output = [Upstream.Output]

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The number of values in an array.
    public let size: Int

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, size: Int) {
      if size <= 0 { fatalError("nwise requires a size of at least 1, not \(size).") }
      self.upstream = upstream
      self.size = size
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: NwiseOperator<Upstream.Output, Failure>(size))
    }
  }
}

extension Publishers.Pairwise: Equatable where Upstream: Equatable {}

extension Publishers.Nwise: Equatable where Upstream: Equatable {}

@usableFromInline
struct PairwiseOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  var previous: Input?

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Pairwise" }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<(Input, Input), Failure> {
    defer { previous = input }
    return previous.map { .emit(($0, input)) } ?? .skip
  }
}

@usableFromInline
struct NwiseOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  let size: Int

  @usableFromInline
  var values: [Input] = []

  @inlinable
  init(_ size: Int) {
    self.size = size
  }

  @usableFromInline
  static var name: StaticString { "Nwise" }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<[Input], Failure> {
    if values.count == size { values.removeFirst() }
    values.append(input)
    return values.count == size ? .emit(values) : .skip
  }
}

extension Publishers.Pairwise: Sendable where Upstream: Sendable {}

extension Publishers.Nwise: Sendable where Upstream: Sendable {}

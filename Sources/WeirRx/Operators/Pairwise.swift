public import Weir

extension Publisher {
  /// Sends each value together with the one before it.
  ///
  ///     source       -a-b   -c   -|
  ///     .pairwise()  ---'ab'-'bc'-|
  ///
  /// - Demand: unchanged; the first value, which has none before it, is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func pairwise() -> Publishers.Pairwise<Self> {
    Publishers.Pairwise(upstream: self)
  }

  /// Sends each value together with those before it, as arrays of so many.
  ///
  ///     source     -a-b-c          -d          -|
  ///     .nwise(3)  -----'[a, b, c]'-'[b, c, d]'-|
  ///
  /// - Demand: unchanged; the first values, before which there are not enough, are asked for again.
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
  /// A publisher of the upstream's values, each with the one before it.
  public struct Pairwise<Upstream: Publisher>: _DirectPublisher {
    /// A value, and the next.
    public typealias Output = (Upstream.Output, Upstream.Output)

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: PairwiseWork<Upstream.Output, Failure>())
    }
  }

  /// A publisher of arrays of the upstream's values, each with those before it.
  public struct Nwise<Upstream: Publisher>: _DirectPublisher {
    /// So many values that came one after the other.
    public typealias Output = [Upstream.Output]

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// How many values an array has.
    public let size: Int

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, size: Int) {
      if size <= 0 { fatalError("nwise needs a positive size: at least 1, not \(size).") }
      self.upstream = upstream
      self.size = size
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: NwiseWork<Upstream.Output, Failure>(size))
    }
  }
}

extension Publishers.Pairwise: Equatable where Upstream: Equatable {}

extension Publishers.Nwise: Equatable where Upstream: Equatable {}

@usableFromInline
struct PairwiseWork<Input, Failure: Error>: Operation {
  @usableFromInline
  typealias UpstreamFailure = Failure

  @usableFromInline
  var previous: Input?

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Pairwise" }

  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> Step<(Input, Input), Failure> {
    defer { previous = input }
    return previous.map { .emit(($0, input)) } ?? .skip
  }
}

@usableFromInline
struct NwiseWork<Input, Failure: Error>: Operation {
  @usableFromInline
  typealias UpstreamFailure = Failure

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
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> Step<[Input], Failure> {
    if values.count == size { values.removeFirst() }
    values.append(input)
    return values.count == size ? .emit(values) : .skip
  }
}

extension Publishers.Pairwise: Sendable where Upstream: Sendable {}

extension Publishers.Nwise: Sendable where Upstream: Sendable {}

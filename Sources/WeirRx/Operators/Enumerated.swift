public import Weir

extension Publisher {
  /// Sends each value with its index, from 0.
  ///
  ///     source         -a   -b   -|
  ///     .enumerated()  -'0a'-'1b'-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func enumerated() -> Publishers.Enumerated<Self> {
    Publishers.Enumerated(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's values with their indices.
  public struct Enumerated<Upstream: Publisher>: _DirectPublisher {
    /// The number of earlier values, and the value.
    public typealias Output = (index: Int, element: Upstream.Output)

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
      upstream.attach(downstream, through: EnumeratedOperator<Upstream.Output, Failure>())
    }
  }
}

extension Publishers.Enumerated: Equatable where Upstream: Equatable {}

@usableFromInline
struct EnumeratedOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  var count = 0

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Enumerated" }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<(index: Int, element: Input), Failure> {
    defer { count += 1 }
    return .emit((count, input))
  }
}

extension Publishers.Enumerated: Sendable where Upstream: Sendable {}

extension Optional {
  /// A publisher of the value, if there is one.
  ///
  /// - Demand: the value is delivered at the first request.
  /// - Completion and cancellation: finishes immediately after the value, or on subscription without one.
  /// - Threading: delivers the value on the thread that requests demand, and a completion without a value on the thread
  ///   that subscribes.
  @inlinable
  public var publisher: Optional<Wrapped>.Publisher {
    Publisher(self)
  }

  /// A publisher that sends the value, if there is one, and finishes.
  ///
  ///     Optional(1).publisher  (1|)
  @frozen
  public struct Publisher: _DirectPublisher {
    /// The wrapped type.
    public typealias Output = Wrapped

    /// This publisher never fails.
    public typealias Failure = Never

    /// The value, if there is one.
    public let output: Wrapped?

    /// Creates a publisher of the value, if there is one.
    @inlinable
    public init(_ output: Output?) {
      self.output = output
    }

    /// The value, if there is one.
    @inlinable
    @inline(__always)
    public var _scalarValue: Wrapped? { output }

    /// It is scalar if there is a value.
    @inlinable
    @inline(__always)
    public var _mayBeScalar: Bool { true }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      guard let output else { return Downstream.complete(downstream, with: .finished) }
      Downstream.pull("Optional", value: output, to: downstream)
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}

extension Publisher {
  /// Tells whether a closure is true for every value.
  ///
  ///     source                  -1-2-(3!)
  ///     .allSatisfy { $0 < 3 }  -----('false'|)
  ///
  /// - Demand: asks for everything; the answer waits for demand.
  /// - Completion and cancellation: cancels the upstream at the first value for which it is false; without one, also
  ///   without any value, the answer at the end is true.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a closure is true for all of the upstream's values.
  @frozen
  public struct AllSatisfy<Upstream: Publisher>: _DirectPublisher {
    /// Whether it is so.
    public typealias Output = Bool

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// Tells whether a value counts.
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
      upstream.attach(downstream, through: ContainsWhereWork<_, Sure<Failure>>(false, predicate), named: "AllSatisfy")
    }
  }
}

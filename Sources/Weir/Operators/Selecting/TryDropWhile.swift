extension Publisher {
  /// Leaves values out as long as a closure that may throw is true for them.
  ///
  ///     source                   -2-4-1-6-|
  ///     .tryDrop(while: isEven)  -----1-6-|
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs where the upstream delivers, until it is false once.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values from the first for which a closure that may throw is false.
  @frozen
  public struct TryDropWhile<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// Whatever the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells whether a value is still left out.
    public let predicate: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DropWhileWork<_, Trying<Upstream.Failure>>(predicate), named: "TryDropWhile")
    }
  }
}

extension Publisher {
  /// Drops values until a throwing predicate is false for the first time.
  ///
  ///     source                   -2-4-1-6-|
  ///     .tryDrop(while: isEven)  -----1-6-|
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers, until it returns `false`.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values from the first for which a throwing predicate is false.
  @frozen
  public struct TryDropWhile<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate; it is not called again after it has returned `false`.
    public let predicate: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: DropWhileOperator<_, Throwing<Upstream.Failure>>(predicate), named: "TryDropWhile")
    }
  }
}

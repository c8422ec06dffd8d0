extension Publisher {
  /// Sends the property at a key path of each value.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath)
  }
}

extension Publishers {
  /// A publisher of one property of each of the upstream's values.
  @frozen
  public struct MapKeyPath<Upstream: Publisher, Output>: _DirectPublisher {
    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The key path of the property.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @usableFromInline
    package let assemblySite = AssemblySite()

    @inlinable
    init(upstream: Upstream, _ keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        Downstream.stateless("ValueForKey", to: downstream) {
          [keyPath, next = downstream.next] (value: Upstream.Output) in
          next(value[keyPath: keyPath])
        }.showing { [keyPath] in [("keyPath", keyPath)] })
    }
  }
}

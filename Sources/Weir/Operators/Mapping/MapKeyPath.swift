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

  /// Sends two properties of each value as a tuple.
  ///
  ///     source               -a   -b   -|
  ///     .map(\.name, \.age)  -'A3'-'B7'-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0, keyPath1)
  }

  /// Sends three properties of each value as a tuple.
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0, keyPath1, keyPath2)
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
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        Downstream.stateless("ValueForKey", to: downstream) {
          [keyPath, next = downstream.next] (value: Upstream.Output) in
          next(value[keyPath: keyPath])
        }.showing { [keyPath] in [("keyPath", keyPath)] })
    }
  }
}

extension Publishers {
  /// A publisher of two properties of each of the upstream's values.
  @frozen
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: _DirectPublisher {
    /// The properties.
    public typealias Output = (Output0, Output1)

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The key path of one property of each value.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// The key path of one property of each value.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @usableFromInline
    package let assemblySite = AssemblySite()

    @inlinable
    init(
      upstream: Upstream, _ keyPath0: KeyPath<Upstream.Output, Output0>, _ keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        Downstream.stateless("ValueForKeys", to: downstream) {
          [keyPath0, keyPath1, next = downstream.next] (value: Upstream.Output) in
          next((value[keyPath: keyPath0], value[keyPath: keyPath1]))
        }.showing { [keyPath0, keyPath1] in [("keyPath0", keyPath0), ("keyPath1", keyPath1)] })
    }
  }
}

extension Publishers {
  /// A publisher of three properties of each of the upstream's values.
  @frozen
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: _DirectPublisher {
    /// The properties.
    public typealias Output = (Output0, Output1, Output2)

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The key path of one property of each value.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// The key path of one property of each value.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// The key path of one property of each value.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @usableFromInline
    package let assemblySite = AssemblySite()

    @inlinable
    init(
      upstream: Upstream, _ keyPath0: KeyPath<Upstream.Output, Output0>, _ keyPath1: KeyPath<Upstream.Output, Output1>,
      _ keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        Downstream.stateless("ValueForKeys", to: downstream) {
          [keyPath0, keyPath1, keyPath2, next = downstream.next] (value: Upstream.Output) in
          next((value[keyPath: keyPath0], value[keyPath: keyPath1], value[keyPath: keyPath2]))
        }.showing { [keyPath0, keyPath1, keyPath2] in
          [("keyPath0", keyPath0), ("keyPath1", keyPath1), ("keyPath2", keyPath2)]
        })
    }
  }
}

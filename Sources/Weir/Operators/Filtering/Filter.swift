extension Publisher {
  /// Lets through the values for which a closure is true.
  ///
  ///     source                   -1-2-3-4
  ///     asked                    21---1
  ///     demand                   2
  ///     .filter { $0 % 2 == 0 }  ---2---4
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the upstream's values for which a closure is true.
  @frozen
  public struct Filter<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells which values pass.
    public let isIncluded: (Upstream.Output) -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(.filtering(isIncluded, to: downstream))
    }
  }
}

extension Downstream {
  @inlinable
  @inline(never)
  static func filtering(_ isIncluded: @escaping (Input) -> Bool, to downstream: Downstream) -> Downstream {
    stateless("Filter", to: downstream) { [next = downstream.next] in isIncluded($0) ? next($0) : .max(1) }
  }
}

extension Publishers.Filter {
  /// Filters once more, as one operator: the closures are composed.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }

  /// Filters once more, as one operator, with a closure that may throw.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

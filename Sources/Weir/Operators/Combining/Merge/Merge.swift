extension Publisher {
  /// Sends on the values of this publisher and of another as they come.
  ///
  ///     source               -1-2-3-|
  ///     other                --a---b-c|
  ///     .merge(with: other)  -1a2-3b-c|
  ///
  /// - Demand: unlimited demand goes to all of them. With a finite demand each is asked for one value ahead, which waits
  ///   if there is no demand for it; nothing is lost.
  /// - Completion and cancellation: finishes when all have. The first failure cancels the others and overtakes what is
  ///   waiting.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func merge<B: Publisher>(with other: B) -> Publishers.Merge<Self, B>
  where B.Output == Output, B.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Sends on the values of this publisher and of another of the same type as they come; see ``merge(with:)-(B)``.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}

extension Coordinator {
  /// Creates a coordinator of `count` known upstreams, and sends its subscription downstream.
  @inlinable
  convenience init<Value, Failure: Error>(merging count: Int, downstream: Downstream<Value, Failure>)
  where Machine == GatherMachine<Value, Failure> {
    self.init("Merge", GatheredUpstreams(merging: count), downstream)
  }

  /// Creates a coordinator, and sends its subscription downstream before it attaches to any upstream, as Combine does.
  @inlinable
  @inline(never)
  convenience init<Value, Failure: Error>(
    _ name: StaticString, _ upstreams: GatheredUpstreams, _ downstream: Downstream<Value, Failure>,
    answersRequests: Bool = false
  ) where Machine == GatherMachine<Value, Failure> {
    self.init(name, GatherMachine(upstreams), downstream: downstream, answersRequests: answersRequests)
    begin()
  }
}

extension Publishers {
  /// A publisher of the values of any number of publishers as they come.
  public struct MergeMany<Upstream: Publisher>: _DirectPublisher {
    /// The values are those of all.
    public typealias Output = Upstream.Output

    /// The failure type of all publishers.
    public typealias Failure = Upstream.Failure

    /// The publishers; without any it finishes at once.
    public let publishers: [Upstream]

    @usableFromInline
    package let place = Place()

    /// Makes the operator of these publishers.
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Makes the operator of the publishers in a sequence.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: publishers.count, downstream: downstream)
      for (number, publisher) in publishers.enumerated() { coordinator.attach(to: publisher, as: number) }
    }

    /// Merges one more into the same operator.
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Forwards the values of this publisher and of another as they arrive.
  ///
  ///     source               -1-2-3-|
  ///     other                --a---b-c|
  ///     .merge(with: other)  -1a2-3b-c|
  ///
  /// - Demand: unlimited demand is forwarded to all publishers. With finite demand, one value ahead is requested from
  ///   each publisher. It is buffered until there is demand, so no value is dropped.
  /// - Completion and cancellation: finishes when all publishers have finished. The first failure cancels the others
  ///   and drops the buffered values.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func merge<B: Publisher>(with other: B) -> Publishers.Merge<Self, B>
  where B.Output == Output, B.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Forwards the values of two publishers of the same type as they arrive; see ``merge(with:)-(B)``.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}

extension Coordinator {
  /// Creates a coordinator of `count` known upstreams, and sends its subscription downstream.
  @inlinable
  convenience init<Value, Failure: Error>(merging count: Int, downstream: consuming Downstream<Value, Failure>)
  where Machine == MergeMachine<Value, Failure> {
    self.init("Merge", MergedUpstreams(merging: count), downstream)
  }

  /// Creates a coordinator, and sends its subscription downstream before it attaches to any upstream, as Combine does.
  @inlinable
  @inline(never)
  convenience init<Value, Failure: Error>(
    _ name: StaticString, _ upstreams: MergedUpstreams, _ downstream: consuming Downstream<Value, Failure>,
    answersRequests: Bool = false
  ) where Machine == MergeMachine<Value, Failure> {
    self.init(name, MergeMachine(upstreams), downstream: downstream, answersRequests: answersRequests)
    begin()
  }
}

extension Publishers {
  /// A publisher that forwards the values of any number of publishers as they arrive.
  public struct MergeMany<Upstream: Publisher>: _DirectPublisher {
    /// The output type of all publishers.
    public typealias Output = Upstream.Output

    /// The failure type of all publishers.
    public typealias Failure = Upstream.Failure

    /// The merged publishers; without any, the operator finishes immediately.
    public let publishers: [Upstream]

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates an operator that merges these publishers.
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Creates an operator that merges the publishers in a sequence.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: publishers.count, downstream: downstream)
      for (number, publisher) in publishers.enumerated() { coordinator.attach(to: publisher, as: number) }
    }

    /// Adds a publisher to the same operator.
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

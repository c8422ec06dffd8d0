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
  /// - Threading: values of several threads are delivered one at a time, by the thread that came first.
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

extension Subscriber {
  /// Subscribes to several publishers at once; `attach` subscribes an inlet to each of them, in order.
  @inlinable
  func merge(
    _ count: Int,
    attach: (Coordinator<GatherMachine<Input, Failure>, Self>, (Int) -> GatherInlet<Self>) -> Void
  ) {
    let coordinator = Coordinator("Merge", GatherMachine<Input, Failure>(merging: count), downstream: self)
    coordinator.begin()
    attach(coordinator) { Inlet(Plain<Input>.self, coordinator, number: $0) }
  }
}

@usableFromInline
typealias GatherInlet<Downstream: Subscriber> = Inlet<
  Plain<Downstream.Input>, GatherMachine<Downstream.Input, Downstream.Failure>, Downstream
>

extension Publishers {
  /// A publisher of the values of any number of publishers as they come.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The values are those of all.
    public typealias Output = Upstream.Output

    /// The failure is that of the first to fail.
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

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subscriber.merge(publishers.count) { coordinator, inlet in
        for (number, publisher) in publishers.enumerated() {
          coordinator.unlessCancelled { publisher.attach(inlet(number)) }
        }
      }
    }

    /// Merges one more into the same operator.
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

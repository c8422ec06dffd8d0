extension Publisher {
  /// Keeps values for which there is no demand, so many at the most.
  ///
  ///     source                                                        -a-bc---(d|)
  ///     asked                                                         21------2
  ///     demand                                                        1-------2
  ///     .buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)  -a------(bc)
  ///
  /// - Demand: `.keepFull` asks for as many values as there is room for, and for another whenever one has gone out;
  ///   `.byRequest` asks for everything. The request is made before the subscriber gets its subscription, so a publisher that sends
  ///   everything immediately fills the buffer, or overfills it.
  /// - Completion and cancellation: the values that wait go out before a normal end. A failure overtakes those for which there is no
  ///   demand. The error that `.customError` makes for want of room follows the next request.
  /// - Threading: values go out where they come in, or where the demand comes from. The thread that brings a value keeps or drops it,
  ///   also while another thread delivers.
  ///   What comes through a subject goes out when the subject has served its other subscribers, before `send(_:)` returns.
  ///
  /// - Parameters:
  ///   - size: how many values are kept, not negative.
  ///   - prefetch: what is asked of this publisher.
  ///   - whenFull: what happens to a value for which there is no room.
  /// - Returns: a publisher that keeps values while there is no demand.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// How a buffer requests values from its upstream.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// As many values as there is room for.
    ///
    ///     source                                                        -a-b----(cd|)
    ///     asked                                                         11------2
    ///     demand                                                        1-------2
    ///     .buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)  -a------(bc)
    case keepFull

    /// Everything.
    ///
    ///     source                                                         -a-bcd-|
    ///     asked                                                          ∞
    ///     demand                                                         1-------2
    ///     .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)  -a------(cd|)
    case byRequest
  }

  /// What a buffer does with a value for which it has no room.
  public enum BufferingStrategy<Failure: Error> {
    /// Drops the value.
    ///
    ///     source                                                         -a-bcd-|
    ///     asked                                                          ∞
    ///     demand                                                         1-------2
    ///     .buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)  -a------(bc|)
    case dropNewest

    /// Drops the value that has waited longest.
    ///
    ///     source                                                         -a-bcd-|
    ///     asked                                                          ∞
    ///     demand                                                         1-------2
    ///     .buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)  -a------(d|)
    case dropOldest

    /// Cancels the upstream and fails with the error that the closure makes.
    ///
    ///     source                                                                     -1-23(4!)
    ///     asked                                                                      ∞
    ///     demand                                                                     1-----   --2
    ///     .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })  -1----   --(23#)
    case customError(() -> Failure)
  }

  /// A publisher that keeps its upstream's values until there is demand for them.
  public struct Buffer<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's, or the one made when there is no room.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are kept.
    public let upstream: Upstream

    /// How many values are kept at the most.
    public let size: Int

    /// What is asked of the upstream.
    public let prefetch: PrefetchStrategy

    /// What happens to a value for which there is no room.
    public let whenFull: BufferingStrategy<Failure>

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
    ) {
      require(size >= 0, "The size of a buffer can't be negative.")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, buffering: BufferPolicy(size: size, prefetch: prefetch, whenFull: whenFull), named: "Buffer")
    }
  }
}

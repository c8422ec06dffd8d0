extension Publisher {
  /// Buffers values for which there is no demand, at most `size` of them.
  ///
  ///     source                                                        -a-bc---(d|)
  ///     asked                                                         21------2
  ///     demand                                                        1-------2
  ///     .buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)  -a------(bc)
  ///
  /// - Demand: `.keepFull` requests `size` values, and one more for each value that leaves the buffer. `.byRequest`
  ///   requests unlimited values. The first request is made before the subscriber receives its subscription. A
  ///   publisher that sends all its values immediately then fills the buffer, or exceeds its size.
  /// - Completion and cancellation: the buffered values are delivered before a normal completion. A failure overtakes
  ///   the values without demand. The error that `.customError` creates for a full buffer is delivered at the next
  ///   request.
  /// - Threading: values are delivered on the thread on which they arrive, or on the thread that requests demand. The
  ///   sending thread buffers or drops its value, also while another thread delivers. A value from a subject is
  ///   delivered when the subject has served its other subscribers, before `send(_:)` returns. After 200 values inside
  ///   one call, they are delivered inside it.
  ///
  /// - Parameters:
  ///   - size: the maximum number of buffered values, not negative.
  ///   - prefetch: the demand that is requested from this publisher.
  ///   - whenFull: what to do with a value for which there is no room.
  /// - Returns: a publisher that buffers values while there is no demand.
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
    /// Requests as many values as there is room for.
    ///
    ///     source                                                        -a-b----(cd|)
    ///     asked                                                         11------2
    ///     demand                                                        1-------2
    ///     .buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)  -a------(bc)
    case keepFull

    /// Requests unlimited values.
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

    /// Drops the oldest value.
    ///
    ///     source                                                         -a-bcd-|
    ///     asked                                                          ∞
    ///     demand                                                         1-------2
    ///     .buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)  -a------(d|)
    case dropOldest

    /// Cancels the upstream, and fails with the error that the closure creates.
    ///
    ///     source                                                                     -1-23(4!)
    ///     asked                                                                      ∞
    ///     demand                                                                     1-----   --2
    ///     .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })  -1----   --(23#)
    case customError(() -> Failure)
  }

  /// A publisher that buffers its upstream's values until there is demand for them.
  public struct Buffer<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The failure type of the upstream and of the error for a full buffer.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of buffered values.
    public let size: Int

    /// The demand that is requested from the upstream.
    public let prefetch: PrefetchStrategy

    /// What to do with a value for which there is no room.
    public let whenFull: BufferingStrategy<Failure>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
    ) {
      require(size >= 0, "buffer(size:prefetch:whenFull:) requires a size of 0 or more.")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        downstream, buffering: BufferPolicy(size: size, prefetch: prefetch, whenFull: whenFull), named: "Buffer")
    }
  }
}

public import Weir

extension Publisher {
  /// Requests unlimited demand, and buffers all values for which there is no demand.
  ///
  ///     source                   -1-2-3-   4-|
  ///     asked                    ∞
  ///     demand                   1-----2   -1
  ///     .onBackpressureBuffer()  -1----(23)-4|
  ///
  /// - Demand: requests unlimited demand from this publisher, at the subscription.
  /// - Completion and cancellation: buffered values are delivered before the completion, also before a failure.
  ///   Cancellation drops them.
  /// - Threading: values are delivered where they arrive, or where demand is requested.
  @_disfavoredOverload
  public func onBackpressureBuffer() -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .bufferAll)
  }

  /// Requests unlimited demand, and buffers at most `size` values for which there is no demand.
  ///
  ///     source                                           -1-2-3-4-|
  ///     asked                                            ∞
  ///     demand                                           1-----2-1
  ///     .onBackpressureBuffer(1, overflow: .dropOldest)  -1----34-|
  ///
  /// - Demand: requests unlimited demand from this publisher, at the subscription.
  /// - Completion and cancellation: buffered values are delivered before the completion. This includes a failure, also
  ///   one that `.customError` creates when the buffer is full. Cancellation drops them.
  /// - Threading: values are delivered where they arrive, or where demand is requested. The thread that sends a value
  ///   buffers or drops it, also while another thread delivers.
  ///
  /// - Parameters:
  ///   - size: The capacity of the buffer, not negative.
  ///   - overflow: What happens to a value that finds the buffer full.
  ///   - onOverflow: A closure that receives each dropped value: the new value or the oldest one.
  /// - Returns: A publisher that buffers at most `size` values.
  public func onBackpressureBuffer(
    _ size: Int, overflow: Publishers.BufferingStrategy<Failure>, onOverflow: ((Output) -> Void)? = nil
  ) -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .buffer(size: size, whenFull: overflow), onDrop: onOverflow)
  }

  /// Requests unlimited demand, and drops values for which there is no demand.
  ///
  ///     source                 -1-2-3-4-|
  ///     asked                  ∞
  ///     demand                 1-----2-1
  ///     .onBackpressureDrop()  -1-----4-|
  ///
  /// - Demand: requests unlimited demand from this publisher, at the subscription.
  /// - Completion and cancellation: forwarded.
  /// - Threading: runs where this publisher delivers, and so does `onDrop`.
  ///
  /// - Parameter onDrop: A closure that receives each dropped value.
  /// - Returns: A publisher of the values for which there is demand.
  public func onBackpressureDrop(_ onDrop: ((Output) -> Void)? = nil) -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .drop, onDrop: onDrop)
  }

  /// Requests unlimited demand, and keeps the latest value for which there is no demand.
  ///
  ///     source                   -1-2-3-4-|
  ///     asked                    ∞
  ///     demand                   1-----2-1
  ///     .onBackpressureLatest()  -1----34-|
  ///
  /// - Demand: requests unlimited demand from this publisher, at the subscription.
  /// - Completion and cancellation: the kept value is delivered before the completion, also before a failure.
  ///   Cancellation drops it.
  /// - Threading: values are delivered where they arrive, or where demand is requested. The thread that sends a value
  ///   keeps or drops it, also while another thread delivers.
  @_disfavoredOverload
  public func onBackpressureLatest() -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .latest)
  }
}

extension Publishers {
  /// A publisher that requests unlimited demand from its upstream and applies a strategy to excess values.
  public struct OnBackpressure<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's, or the one created when the buffer is full.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// What happens to a value for which there is no demand.
    public let strategy: BackpressureStrategy<Failure>

    /// A closure that receives each dropped value.
    public let onDrop: ((Output) -> Void)?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the methods that begin with its name are the usual way to create it.
    public init(
      upstream: Upstream, strategy: BackpressureStrategy<Failure>, onDrop: ((Output) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.onDrop = onDrop
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, buffering: policy, named: "OnBackpressure")
    }

    @usableFromInline
    package var policy: BufferPolicy<Output, Failure> { strategy.policy(asking: .everything, onDrop: onDrop) }
  }
}

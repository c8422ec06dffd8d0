public import Weir

extension Publisher {
  /// Asks for everything and keeps all values for which there is no demand.
  ///
  ///     source                   -1-2-3-   4-|
  ///     asked                    ∞
  ///     demand                   1-----2   -1
  ///     .onBackpressureBuffer()  -1----(23)-4|
  ///
  /// - Demand: this publisher is asked for everything, at the subscription.
  /// - Completion and cancellation: the values that are kept go out before the end, also before a failure. A cancel drops
  ///   them.
  /// - Threading: values go out where they come in, or where the demand comes from.
  public func onBackpressureBuffer() -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .bufferAll)
  }

  /// Asks for everything and keeps so many values for which there is no demand.
  ///
  ///     source                                           -1-2-3-4-|
  ///     asked                                            ∞
  ///     demand                                           1-----2-1
  ///     .onBackpressureBuffer(1, overflow: .dropOldest)  -1----34-|
  ///
  /// - Demand: this publisher is asked for everything, at the subscription.
  /// - Completion and cancellation: the values that are kept go out before the end, also before a failure, and before the
  ///   one that `.customError` makes for want of room. A cancel drops them.
  /// - Threading: values go out where they come in, or where the demand comes from. The thread that brings a value keeps or drops it,
  ///   also while another thread delivers.
  ///
  /// - Parameters:
  ///   - size: how many values are kept, not negative.
  ///   - overflow: what happens when there is no room for a value.
  ///   - onOverflow: is told of each value that is dropped, the one for which there was no room or the oldest.
  /// - Returns: a publisher that keeps so many values.
  public func onBackpressureBuffer(
    _ size: Int, overflow: Publishers.BufferingStrategy<Failure>, onOverflow: ((Output) -> Void)? = nil
  ) -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .buffer(size: size, whenFull: overflow), onDrop: onOverflow)
  }

  /// Asks for everything and drops values for which there is no demand.
  ///
  ///     source                 -1-2-3-4-|
  ///     asked                  ∞
  ///     demand                 1-----2-1
  ///     .onBackpressureDrop()  -1-----4-|
  ///
  /// - Demand: this publisher is asked for everything, at the subscription.
  /// - Completion and cancellation: pass through.
  /// - Threading: runs where this publisher delivers; `onDrop` too.
  ///
  /// - Parameter onDrop: is told of each value that is dropped.
  /// - Returns: a publisher of the values for which there is demand.
  public func onBackpressureDrop(_ onDrop: ((Output) -> Void)? = nil) -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .drop, onDrop: onDrop)
  }

  /// Asks for everything and keeps the last value for which there is no demand.
  ///
  ///     source                   -1-2-3-4-|
  ///     asked                    ∞
  ///     demand                   1-----2-1
  ///     .onBackpressureLatest()  -1----34-|
  ///
  /// - Demand: this publisher is asked for everything, at the subscription.
  /// - Completion and cancellation: the value that is kept goes out before the end, also before a failure. A cancel drops
  ///   it.
  /// - Threading: values go out where they come in, or where the demand comes from. The thread that brings a value keeps or drops it,
  ///   also while another thread delivers.
  public func onBackpressureLatest() -> Publishers.OnBackpressure<Self> {
    Publishers.OnBackpressure(upstream: self, strategy: .latest)
  }
}

extension Publishers {
  /// A publisher that asks its upstream for everything and keeps to the demand by a strategy.
  public struct OnBackpressure<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's, or the one made when there is no room.
    public typealias Failure = Upstream.Failure

    /// The publisher that is asked for everything.
    public let upstream: Upstream

    /// What becomes of a value for which there is no demand.
    public let strategy: BackpressureStrategy<Failure>

    /// Is told of each value that is dropped for want of room.
    public let onDrop: ((Output) -> Void)?

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the methods that begin with its name are the usual way.
    public init(
      upstream: Upstream, strategy: BackpressureStrategy<Failure>, onDrop: ((Output) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.onDrop = onDrop
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, buffering: policy, named: "OnBackpressure")
    }

    @usableFromInline
    package var policy: BufferPolicy<Output, Failure> { strategy.policy(asking: .everything, onDrop: onDrop) }
  }
}

public import Weir

extension Publisher {
  /// Requests values from this publisher in limited batches, whatever the downstream demand.
  ///
  ///     source                     -1-2-3-4-5-|
  ///     asked                      3--2---2
  ///     .limitRate(3, lowTide: 2)  -1-2-3-4-5-|
  ///
  /// - Demand: requests `highTide` values from this publisher at the subscription, and `lowTide` more each time it has
  ///   delivered `lowTide` values. It buffers values without demand, at most `highTide`.
  /// - Completion and cancellation: buffered values are delivered before the completion, also before a failure.
  ///   Cancellation drops them.
  /// - Threading: values are delivered where they arrive, or where demand is requested.
  ///
  /// - Parameters:
  ///   - highTide: The maximum number of values that are requested and not yet delivered, at least 1.
  ///   - lowTide: The size of the later requests, from 1 to `highTide`. The default is three quarters of `highTide`.
  /// - Returns: A publisher that requests its upstream's values in batches.
  public func limitRate(_ highTide: Int, lowTide: Int? = nil) -> Publishers.LimitRate<Self> {
    Publishers.LimitRate(upstream: self, highTide: highTide, lowTide: lowTide ?? highTide - highTide / 4)
  }
}

extension Publishers {
  /// A publisher that requests its upstream's values in limited batches.
  public struct LimitRate<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of values that are requested and not yet delivered.
    public let highTide: Int

    /// The size of each request after the first.
    public let lowTide: Int

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    public init(upstream: Upstream, highTide: Int, lowTide: Int) {
      if highTide < 1 { fatalError("limitRate requires a high tide of at least 1, not \(highTide).") }
      if lowTide < 1 || lowTide > highTide {
        fatalError("limitRate requires a low tide from 1 to its high tide of \(highTide), not \(lowTide).")
      }
      self.upstream = upstream
      self.highTide = highTide
      self.lowTide = lowTide
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, buffering: policy, named: "LimitRate")
    }

    @usableFromInline
    package var policy: BufferPolicy<Output, Failure> {
      BufferPolicy(size: highTide, asking: .batches(of: lowTide), whenFull: .dropNewest)
    }
  }
}

extension Publishers.LimitRate: Sendable where Upstream: Sendable {}

public import Weir

extension Publisher {
  /// Asks this publisher for a limited number of values at a time, however much is asked for.
  ///
  ///     source                     -1-2-3-4-5-|
  ///     asked                      3--2---2
  ///     .limitRate(3, lowTide: 2)  -1-2-3-4-5-|
  ///
  /// - Demand: this publisher is asked for `highTide` values at the subscription, and for `lowTide` more whenever so many
  ///   have gone out. Values wait for demand, `highTide` at the most.
  /// - Completion and cancellation: values that wait go out before the end, also before a failure. A cancel drops them.
  /// - Threading: values go out where they come in, or where the demand comes from.
  ///
  /// - Parameters:
  ///   - highTide: how many values may be asked for and not have gone out, at least 1.
  ///   - lowTide: how many are asked for at once later, from 1 to `highTide`; three quarters of that if it is not given.
  /// - Returns: a publisher that asks for so many values at a time.
  public func limitRate(_ highTide: Int, lowTide: Int? = nil) -> Publishers.LimitRate<Self> {
    Publishers.LimitRate(upstream: self, highTide: highTide, lowTide: lowTide ?? highTide - highTide / 4)
  }
}

extension Publishers {
  /// A publisher that asks its upstream for a limited number of values at a time.
  public struct LimitRate<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher that is asked.
    public let upstream: Upstream

    /// How many values may be asked for and not have gone out.
    public let highTide: Int

    /// How many are asked for at once after the first request.
    public let lowTide: Int

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    public init(upstream: Upstream, highTide: Int, lowTide: Int) {
      if highTide < 1 { fatalError("limitRate has to ask for something: give a high tide of 1 or more.") }
      if lowTide < 1 || lowTide > highTide {
        fatalError("The low tide of limitRate is from 1 to its high tide: what is missing is asked for by so many.")
      }
      self.upstream = upstream
      self.highTide = highTide
      self.lowTide = lowTide
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, buffering: policy, named: "LimitRate")
    }

    @usableFromInline
    package var policy: BufferPolicy<Output, Failure> {
      BufferPolicy(size: highTide, asking: .batches(of: lowTide), whenFull: .dropNewest)
    }
  }
}

extension Publishers.LimitRate: Sendable where Upstream: Sendable {}

public import Weir

extension Publisher {
  /// Subscribes again each time this publisher has finished, so that it runs `times` times.
  ///
  ///     source        -1-2(|^)1-2|
  ///     asked         3---1   ∞
  ///     demand        3----   ∞
  ///     .repeated(2)  -1-2-   1-2|
  ///
  /// - Demand: outstanding demand is requested again from the new subscription.
  /// - Completion and cancellation: finishes after the last run. A failure terminates the operator earlier.
  /// - Threading: subscribes again where this publisher has finished. The stack doesn't grow with the number of runs.
  ///
  /// - Parameter times: The number of runs, including the first. With 0 it finishes immediately.
  /// - Returns: A publisher of the values of all runs.
  @inlinable
  public func repeated(_ times: Int) -> Publishers.Repeated<Self> {
    Publishers.Repeated(upstream: self, times: times)
  }

  /// Subscribes again each time this publisher has finished, without a limit; see ``repeated(_:)``.
  ///
  /// If this publisher finishes immediately without a value, the loop runs until another thread cancels it.
  @inlinable
  @_disfavoredOverload
  public func repeated() -> Publishers.Repeated<Self> {
    Publishers.Repeated(upstream: self, times: nil)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again when it has finished.
  public struct Repeated<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The number of runs, or `nil` for no limit.
    public let times: Int?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the methods of the same name are the usual way to create it.
    @inlinable
    public init(upstream: Upstream, times: Int?) {
      if let times, times < 0 { fatalError("repeated(_:) requires a number of 0 or more, not \(times).") }
      self.upstream = upstream
      self.times = times
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      if times == 0 { return Downstream.complete(downstream, with: .finished) }
      // Each run completes once, and the next one starts after that.
      var left = times
      upstream.attach(downstream, named: "Repeated") { completion in
        guard case .finished = completion else { return false }
        left = left.map { $0 - 1 }
        return left != 0
      }
    }
  }
}

extension Publishers.Repeated: Equatable where Upstream: Equatable {}

extension Publishers.Repeated: Sendable where Upstream: Sendable {}

public import Weir

extension Publisher {
  /// Subscribes again whenever this publisher has finished, so that it runs so many times.
  ///
  ///     source        -1-2(|^)1-2|
  ///     asked         3---1   ∞
  ///     demand        3----   ∞
  ///     .repeated(2)  -1-2-   1-2|
  ///
  /// - Demand: what is outstanding at the end is asked again.
  /// - Completion and cancellation: finishes with the last time. A failure ends the whole before.
  /// - Threading: subscribes again where this publisher has finished. Any number of times at once takes no stack.
  ///
  /// - Parameter times: how many times it runs, the first included; with 0 it finishes at once.
  /// - Returns: a publisher of what comes all those times.
  @inlinable
  public func repeated(_ times: Int) -> Publishers.Repeated<Self> {
    Publishers.Repeated(upstream: self, times: times)
  }

  /// Subscribes again whenever this publisher has finished, without an end; see ``repeated(_:)``.
  ///
  /// One that finishes at once without a value runs until it is cancelled from another thread.
  @inlinable
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

    /// The publisher that is subscribed to.
    public let upstream: Upstream

    /// How many times it runs, or `nil` for no limit.
    public let times: Int?

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the methods of the same name are the usual way.
    @inlinable
    public init(upstream: Upstream, times: Int?) {
      if let times, times < 0 { fatalError("A publisher can't run \(times) times: give 0 for not at all.") }
      self.upstream = upstream
      self.times = times
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      if times == 0 { return downstream.receive(emptyWith: .finished) }
      // Each round ends once, and the next begins after that.
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

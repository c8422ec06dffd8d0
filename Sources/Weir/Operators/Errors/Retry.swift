extension Publisher {
  /// Subscribes again after a failure, at most `retries` times.
  ///
  /// As in Combine, a negative number sets no limit.
  ///
  ///     source     -1-2-(#^)1-2-#
  ///     .retry(1)  -1-2--   1-2-#
  ///
  /// - Demand: the demand that is outstanding at the failure is requested again.
  /// - Completion and cancellation: the failure of the last attempt is forwarded.
  /// - Threading: subscribes again on the thread that delivered the failure. Attempts that fail immediately don't
  ///   recurse, so they use constant stack space.
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again after a failure.
  @frozen
  public struct Retry<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of further subscriptions, or `nil` or a negative number for no limit.
    public let retries: Int?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let attempts = Attempts(
        upstream, left: retries,
        arbiter: SubscriptionArbiter(
          "Retry", requestsReturnedDemand: true, passesEarlyCompletion: true, downstream: downstream))
      attempts.begin()
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publishers.Retry: Sendable where Upstream: Sendable {}

extension Publishers.Retry {
  /// The successive attempts of one subscription.
  @usableFromInline
  final class Attempts {
    @usableFromInline
    let upstream: Upstream

    // Safety: only the completion of the one attempt that is attached accesses it, under the invariant of
    // `SubscriptionArbiter`. (`SubscriptionArbiterTests/follows`, `Threads/succession`)
    @usableFromInline
    @exclusivity(unchecked)
    var left: Int

    @usableFromInline
    let arbiter: SubscriptionArbiter<Output, Failure>

    /// Serializes the attempts.
    ///
    /// A failure that arrives during a subscription leaves the next attempt to the loop that is running.
    @usableFromInline
    let gate = Gate()

    @inlinable
    init(_ upstream: Upstream, left: Int?, arbiter: SubscriptionArbiter<Output, Failure>) {
      self.upstream = upstream
      // A negative number is never counted down.
      self.left = left ?? -1
      self.arbiter = arbiter
    }

    @inlinable
    func begin() {
      switch gate.enter() {
      case .acquired: break
      case .reentrant, .contended: if !gate.acquireOrRequestDrain() { return }
      }
      repeat {
        if !arbiter.link.phase.isNow(.terminated) {
          upstream.attach(ArbitratedSubscriber(arbiter) { [self] completion, _ in end(completion) }.events)
        }
      } while !gate.leave()
    }

    @inlinable
    func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
      guard case .failure = completion, left != 0 else { return arbiter.receive(completion: completion) }
      guard arbiter.link.detach(to: .early) else { return }
      if left > 0 { left -= 1 }
      arbiter.follow { [self] in begin() }
    }
  }
}

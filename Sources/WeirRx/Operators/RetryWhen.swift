public import Weir

extension Publisher {
  /// Subscribes again after a failure when a notifier says so.
  ///
  ///     source                                                -1#-^1#-^!
  ///     .retry(when: { $0.delay(for: 2, scheduler: clock) })  -1---1---!
  ///
  /// - Demand: what is outstanding at the failure is asked again. The notifier is asked for everything. The failures that
  ///   it is told of wait for its demand.
  /// - Completion and cancellation: a value of the notifier after a failure subscribes again; one at another time means
  ///   nothing. The notifier's end ends the whole, at any time: its failure is the failure. The end of this publisher
  ///   cancels the notifier.
  /// - Threading: subscribes again where the notifier delivers. Attempts that fail at once take no stack.
  ///
  /// - Parameter notifier: makes the notifier of the publisher of failures, once for each subscriber.
  /// - Returns: a publisher that subscribes again when the notifier says so.
  @inlinable
  public func retry<Notifier: Publisher>(
    when notifier: @escaping (AnyPublisher<Failure, Never>) -> Notifier
  ) -> Publishers.RetryWhen<Self, Notifier> where Notifier.Failure == Failure {
    Publishers.RetryWhen(upstream: self, notifier: notifier)
  }

  /// Subscribes again after a failure when a notifier that can't fail says so; see ``retry(when:)``.
  @inlinable
  public func retry<Notifier: Publisher>(
    when notifier: @escaping (AnyPublisher<Failure, Never>) -> Notifier
  ) -> Publishers.RetryWhen<Self, Publishers.SetFailureType<Notifier, Failure>> where Notifier.Failure == Never {
    Publishers.RetryWhen(upstream: self) { notifier($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again after a failure, when a notifier says so.
  public struct RetryWhen<Upstream: Publisher, Notifier: Publisher>: _DirectPublisher
  where Notifier.Failure == Upstream.Failure {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the notifier's.
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to.
    public let upstream: Upstream

    /// What makes the notifier of the publisher of failures.
    public let notifier: (AnyPublisher<Upstream.Failure, Never>) -> Notifier

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `retry(when:)` is the usual way.
    @inlinable
    public init(
      upstream: Upstream, notifier: @escaping (AnyPublisher<Upstream.Failure, Never>) -> Notifier
    ) {
      self.upstream = upstream
      self.notifier = notifier
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let failures = PassthroughSubject<Failure, Never>()
      let attempts = Attempts(upstream)
      let coordinator = Coordinator("RetryWhen", RetryWhenMachine<Output, Failure>(), downstream: downstream) {
        coordinator, effect in
        switch effect {
        case .notify(let failure): failures.send(failure)
        case .attempt(let number):
          attempts.make { coordinator.attach(to: $0, as: number) }
        case .release: attempts.release()
        }
      }
      let notifier = notifier(failures.onBackpressureBuffer().eraseToAnyPublisher())
      coordinator.attach(toSignals: notifier, as: RetryWhenMachine<Output, Failure>.notifierNumber) { $0 }
      attempts.make { coordinator.attach(to: $0) }
    }
  }
}

/// What attempts are made of, until it is over: whoever keeps the subscription is not to keep the upstream.
@usableFromInline
final class Attempts<Upstream: Publisher> {
  @usableFromInline
  let upstream: Locked<Upstream?>

  @usableFromInline
  let trampoline = Trampoline()

  @inlinable
  init(_ upstream: Upstream) {
    self.upstream = Locked(upstream)
  }

  /// Makes an attempt when the one before has returned, unless it is over.
  @inlinable
  func make(_ subscribe: @escaping (Upstream) -> Void) {
    trampoline.run { [self] in
      if let upstream = upstream.withLock({ $0 }) { subscribe(upstream) }
    }
  }

  @inlinable
  func release() {
    withExtendedLifetime(upstream.withLock { $0.take() }) {}
  }
}

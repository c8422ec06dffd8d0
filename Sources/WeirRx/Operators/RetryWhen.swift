public import Weir

extension Publisher {
  /// Subscribes again after a failure when a notifier sends a value.
  ///
  ///     source                                                -1#-^1#-^!
  ///     .retry(when: { $0.delay(for: 2, scheduler: clock) })  -1---1---!
  ///
  /// - Demand: outstanding demand is requested again from the new subscription. Subscribes to the notifier when this
  ///   publisher has sent its first subscription. Requests unlimited demand from the notifier. Failures are buffered
  ///   until the notifier requests them.
  /// - Completion and cancellation: a value of the notifier after a failure starts the next attempt. A value at any
  ///   other time is ignored. The notifier's completion completes the operator at any time, with the notifier's failure
  ///   if it fails. This publisher's finish cancels the notifier.
  /// - Threading: subscribes again where the notifier delivers. Attempts that fail immediately don't grow the stack.
  ///
  /// - Parameter notifier: A closure that maps the publisher of failures to the notifier. It runs once for each
  ///   subscriber.
  /// - Returns: A publisher that subscribes again when the notifier sends a value.
  @inlinable
  public func retry<Notifier: Publisher>(
    when notifier: @escaping (AnyPublisher<Failure, Never>) -> Notifier
  ) -> Publishers.RetryWhen<Self, Notifier> where Notifier.Failure == Failure {
    Publishers.RetryWhen(upstream: self, notifier: notifier)
  }

  /// Subscribes again after a failure when a notifier that can't fail sends a value; see ``retry(when:)``.
  ///
  /// For a publisher that can't fail either, overload resolution prefers the other operator.
  @inlinable
  @_disfavoredOverload
  public func retry<Notifier: Publisher>(
    when notifier: @escaping (AnyPublisher<Failure, Never>) -> Notifier
  ) -> Publishers.RetryWhen<Self, Publishers.SetFailureType<Notifier, Failure>> where Notifier.Failure == Never {
    Publishers.RetryWhen(upstream: self) { notifier($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again after a failure when a notifier sends a value.
  public struct RetryWhen<Upstream: Publisher, Notifier: Publisher>: _DirectPublisher
  where Notifier.Failure == Upstream.Failure {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the notifier's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that maps the publisher of failures to the notifier.
    public let notifier: (AnyPublisher<Upstream.Failure, Never>) -> Notifier

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method `retry(when:)` is the usual way to create it.
    @inlinable
    public init(
      upstream: Upstream, notifier: @escaping (AnyPublisher<Upstream.Failure, Never>) -> Notifier
    ) {
      self.upstream = upstream
      self.notifier = notifier
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let failures = PassthroughSubject<Failure, Never>()
      let attempts = Attempts(upstream)
      let notifier = notifier(failures.onBackpressureBuffer().eraseToAnyPublisher())
      let coordinator = Coordinator("RetryWhen", RetryWhenMachine<Output, Failure>(), downstream: downstream) {
        coordinator, effect in
        switch effect {
        case .listen:
          coordinator.attach(toSignals: notifier, as: RetryWhenMachine<Output, Failure>.notifierNumber) { $0.erased }
        case .notify(let failure): failures.send(failure)
        case .attempt(let number):
          attempts.make { coordinator.attach(to: $0, as: number) }
        case .release: attempts.release()
        }
      }
      attempts.make { coordinator.attach(to: $0) }
    }
  }
}

/// Holds the upstream until termination, so that a retained subscription doesn't retain the upstream.
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

  /// Starts an attempt after the previous one has returned, unless the operator has terminated.
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

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers, through a subject.
  ///
  ///     source                               ---^a-b   -c-d-|
  ///     .multicast { PassthroughSubject() }  ----a-b   -c-d-|
  ///     later                                ------(^b)-c-d-|
  ///
  /// - Demand: each subscriber has its own. The first request of any subscriber requests unlimited values from this
  ///   publisher.
  /// - Completion and cancellation: those of the subject. No value is delivered before
  ///   ``ConnectablePublisher/connect()``.
  /// - Threading: the closure runs at the first subscription or connection. Two threads that come first may both run
  ///   it, and one of the subjects is used. Values are delivered where the subject delivers.
  @inlinable
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher among all subscribers, through this subject.
  ///
  /// - Demand: each subscriber has its own. The first request of any subscriber requests unlimited values from this
  ///   publisher.
  /// - Completion and cancellation: those of the subject. No value is delivered before
  ///   ``ConnectablePublisher/connect()``.
  /// - Threading: that of the subject.
  @inlinable
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }
}

extension Publishers {
  /// A publisher that shares one subscription to its upstream through a subject.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, _DirectPublisher
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public final let upstream: Upstream

    /// The closure that creates the subject, at the first subscription or connection.
    public final let createSubject: () -> SubjectType

    /// The subject, after it has been created.
    // Performance: untyped, because the `deinit` would look up its type.
    private let made = Locked<AnyObject?>(nil)

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject.
    ///
    /// Two threads that need the subject first may each create one. The first that is stored is used.
    @usableFromInline
    final var subject: SubjectType {
      let known = made.withLock { $0 } ?? keep(createSubject())
      // Safety: only `keep` stores an object here, which is a subject of this type. (`MulticastTests`)
      return _unsafeUncheckedDowncast(known, to: SubjectType.self)
    }

    private final func keep(_ new: SubjectType) -> AnyObject {
      made.withLock { made in
        let kept = made ?? new
        made = kept
        return kept
      }
    }

    /// Attaches a downstream to the subject.
    @inlinable
    public final func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      attach(downstream, through: TapSubscription("Multicast", isToConnect: true))
    }

    /// Attaches a downstream behind one subscription for this publisher and `autoconnect`.
    @inlinable
    public final func _attach(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void) {
      attach(downstream, through: TapSubscription("Multicast", isToConnect: true, onCancel: onCancel))
    }

    @inlinable
    final func attach(_ downstream: consuming Downstream<Output, Failure>, through subscription: TapSubscription) {
      subject.attach(downstream.resubscribed(with: subscription, returnsDemand: false))
    }

    /// Subscribes the subject to the upstream; cancelling or releasing the result cancels the subscription.
    @inlinable
    public final func connect() -> any Cancellable {
      upstream.subscribe(subject)
    }

    /// Connects, and passes the connection on before the upstream sends.
    @inlinable
    public final func _connect(_ keep: (any Cancellable) -> Void) {
      upstream.subscribe(subject, keep: keep)
    }
  }
}

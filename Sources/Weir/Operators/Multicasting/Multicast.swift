extension Publisher {
  /// Sends what one subscription to this publisher brings to many subscribers, through a subject.
  ///
  ///     source                               ---^a-b   -c-d-|
  ///     .multicast { PassthroughSubject() }  ----a-b   -c-d-|
  ///     later                                ------(^b)-c-d-|
  ///
  /// - Demand: each subscriber has its own. The first request of any subscriber requests unlimited values from this
  ///   publisher.
  /// - Completion and cancellation: those of the subject. No value is delivered before
  ///   ``ConnectablePublisher/connect()``.
  /// - Threading: the closure runs at the first subscription or connection, once.
  @inlinable
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends what one subscription to this publisher brings to many subscribers, through this subject.
  ///
  /// - Demand: each subscriber has its own. The first request of any subscriber requests unlimited values from this
  ///   publisher.
  /// - Completion and cancellation: those of the subject. No value is delivered before
  ///   ``ConnectablePublisher/connect()``.
  /// - Threading: the subject's.
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

    /// What makes the subject, at the first subscription or connection.
    public final let createSubject: () -> SubjectType

    /// The subject, once it is made.
    // Performance: without its type, which the `deinit` would look up.
    private let made = Locked<AnyObject?>(nil)

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject.
    ///
    /// Two threads that need it first may each make one; the first that is kept counts.
    @usableFromInline
    final var subject: SubjectType {
      let known = made.withLock { $0 } ?? keep(createSubject())
      // Safety: only `keep` fills the place, with a subject of this type. (`MulticastTests`)
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
    public final func _attach(_ downstream: Downstream<Output, Failure>) {
      subject.attach(downstream.resubscribed(with: TapSubscription("Multicast"), returnsDemand: false))
    }

    /// Subscribes the subject to the upstream; cancelling or dropping the result ends that subscription.
    @inlinable
    public final func connect() -> any Cancellable {
      upstream.subscribe(subject)
    }
  }
}

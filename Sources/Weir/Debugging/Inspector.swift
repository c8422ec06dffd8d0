import Synchronization

/// Reports violations of a publisher outside of Weir while tracing is off.
@usableFromInline
final class Inspector {
  private let publisher: (any Any.Type)?

  /// Whether the inspector counts demand.
  private let isCounting: Bool

  private let conduct: Locked<Conduct>

  private init(of publisher: (any Any.Type)?, counting isCounting: Bool) {
    self.publisher = publisher
    self.isCounting = isCounting
    conduct = Locked(Conduct(requested: isCounting ? .none : .unlimited))
  }

  /// Returns an inspector in a debug build or if there is a hook for reports, unless the publisher is traced.
  ///
  /// An inspector that counts demand replaces the upstream's subscription by its own. User code could observe the
  /// replacement. So a user's `subscriber` receives it only if there is a hook.
  @usableFromInline
  static func ifWanted(of publisher: any Any.Type, before subscriber: @autoclosure () -> Any) -> Inspector? {
    guard Reports.reportsViolations else { return nil }
    let isCounting = Reports.isReporting.load(ordering: .relaxed) || subscriber() is any OperatorReflectable
    return Inspector(of: publisher, counting: isCounting)
  }

  /// Returns an inspector for a subscriber that any publisher can call.
  ///
  /// It doesn't count demand.
  @usableFromInline
  static func ifWanted() -> Inspector? {
    Reports.reportsViolations ? Inspector(of: nil, counting: false) : nil
  }

  /// Records a subscription.
  ///
  /// The caller forwards the returned subscription instead.
  @usableFromInline
  func subscribed(_ subscription: any Subscription) -> any Subscription {
    let fault = conduct.withLock { $0.noteSubscription() }
    tell(fault)
    // The subscriber cancels a second subscription, which does not cancel the first.
    guard isCounting, fault == nil else { return subscription }
    return InspectedSubscription(wrapped: subscription, inspector: self)
  }

  @usableFromInline
  func requested(_ demand: Subscribers.Demand) {
    if demand > .none { conduct.withLock { $0.noteRequest(demand) } }
  }

  @usableFromInline
  func received() {
    tell(conduct.withLock { $0.noteValue() })
  }

  @usableFromInline
  func completed<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    tell(conduct.withLock { $0.noteEnd(completion) })
  }

  fileprivate func cancelled() {
    conduct.withLock { $0.noteCancel() }
  }

  // A failure is reported by the operator or subscriber that receives it.
  private func tell(_ fault: Conduct.Fault?) {
    if case .violation(let violation) = fault { Reports.report(violation, by: publisher) }
  }
}

/// Forwards every event, and records requests and the cancellation.
private struct InspectedSubscription: SubscriptionWrapper {
  let wrapped: any Subscription
  let inspector: Inspector

  var combineIdentifier: CombineIdentifier { wrapped.combineIdentifier }

  func request(_ demand: Subscribers.Demand) {
    inspector.requested(demand)
    wrapped.request(demand)
  }

  func cancel() {
    inspector.cancelled()
    wrapped.cancel()
  }

  func _outermostGate(of thread: UInt) -> _Gated? { wrapped._outermostGate(of: thread) }
}

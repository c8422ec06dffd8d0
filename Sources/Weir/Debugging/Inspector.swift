import Synchronization

/// Tells of the rules that a publisher outside of Weir breaks, while nothing is traced.
@usableFromInline
final class Inspector {
  private let publisher: (any Any.Type)?

  /// Whether requests are seen.
  private let isCounting: Bool

  private let conduct: Locked<Conduct>

  private init(of publisher: (any Any.Type)?, counting isCounting: Bool) {
    self.publisher = publisher
    self.isCounting = isCounting
    conduct = Locked(Conduct(requested: isCounting ? .none : .unlimited))
  }

  /// An inspector, if somebody would be told: in a debug build, or where there is a hook for reports.
  ///
  /// What is traced is inspected by the tracer. To see requests, it has to hand over a subscription of its own. A
  /// subscriber of the user's would see that, and gets it only where there is a hook; `subscriber` is what gets it.
  @usableFromInline
  static func ifWanted(of publisher: any Any.Type, before subscriber: @autoclosure () -> Any) -> Inspector? {
    guard Reports.tellsOfBreaches else { return nil }
    let isCounting = Reports.areWanted.load(ordering: .relaxed) || subscriber() is any Described
    return Inspector(of: publisher, counting: isCounting)
  }

  /// The same for a subscriber that anybody may call, which may be asked for in ways that aren't seen.
  @usableFromInline
  static func ifWanted() -> Inspector? {
    Reports.tellsOfBreaches ? Inspector(of: nil, counting: false) : nil
  }

  /// Notes a subscription; the result is to be passed on in its place, so that requests are seen.
  @usableFromInline
  func subscribed(_ subscription: any Subscription) -> any Subscription {
    let fault = conduct.withLock { $0.noteSubscription() }
    tell(fault)
    // Who gets a second one cancels it, which is not the end of the first.
    guard isCounting, fault == nil else { return subscription }
    return InspectedSubscription(subscription: subscription, inspector: self)
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

  // Failures are told of by those whom they reach.
  private func tell(_ fault: Conduct.Fault?) {
    if case .violation(let breach) = fault { Reports.tell(of: breach, by: publisher) }
  }
}

/// Passes everything on, and shows what the subscription shows.
private struct InspectedSubscription: Subscription, Described {
  let subscription: any Subscription
  let inspector: Inspector

  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  var description: String { String(describing: subscription) }

  var customMirror: Mirror { Mirror(reflecting: subscription) }

  var playgroundDescription: Any {
    (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }

  func request(_ demand: Subscribers.Demand) {
    inspector.requested(demand)
    subscription.request(demand)
  }

  func cancel() {
    inspector.cancelled()
    subscription.cancel()
  }
}

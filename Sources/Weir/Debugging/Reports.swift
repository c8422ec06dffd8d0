public import Synchronization

extension Tracing {
  /// An event that can indicate a mistake, and the pipeline in which it occurred.
  public struct Report: Sendable, CustomStringConvertible {
    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
      /// A failure reached the subscriber at the end of a pipeline.
      case failure
      /// A publisher violated a rule that applies to all publishers.
      case violation
      /// A value was dropped, because there was neither demand nor room in a buffer for it.
      case droppedValue
      /// A failure arrived after the subscriber had completed or cancelled, so it was dropped.
      case lateFailure
    }

    /// The kind of the event.
    public let kind: Kind

    /// A description of the event.
    public let message: String

    /// The pipeline in which the event occurred, if it began while ``tracing`` was on.
    public let subscription: LiveSubscription?

    /// The message, and the steps of the pipeline, one on each line.
    public var description: String {
      let steps = subscription?.path.map { "\n    \($0)" } ?? []
      return message + steps.joined()
    }
  }

  /// A hook that is called with each report.
  ///
  /// Without a hook, reports are written to standard error while ``tracing`` is on. While it is off, a debug build
  /// writes the first violation of each kind by each type of publisher.
  ///
  /// With a hook, violations, dropped values and late failures are also reported while tracing is off, without their
  /// pipelines. Violations of the rule of serial delivery are always reported. Violations of other rules are reported
  /// if the hook was set before the subscription.
  ///
  /// - Threading: can be read and set on any thread. The hook is called on the thread on which the event occurs,
  ///   without a lock.
  public static var onReport: (@Sendable (Report) -> Void)? {
    get { Reports.hook.withLock { $0 } }
    set {
      let before = Reports.hook.withLock { hook in
        let before = hook
        hook = newValue
        return before
      }
      IntrospectionRegistry.setReporting(newValue != nil)
      withExtendedLifetime(before) {}
    }
  }
}

/// Creates and delivers reports.
@usableFromInline
package enum Reports {
  /// Whether a report would be delivered.
  @usableFromInline
  static let isReporting = Atomic<Bool>(false)

  // Safety: the lock protects every access to its content. (`ReportTests`)
  fileprivate nonisolated(unsafe) static let hook = Locked<(@Sendable (Tracing.Report) -> Void)?>(nil)

  private static func make(_ kind: Tracing.Report.Kind, _ message: String, at node: TraceNode?) {
    let subscription = node.map { LiveSubscription($0.last, feeders: Feeders(TraceRegistry.live), showsEnded: true) }
    let report = Tracing.Report(kind: kind, message: message, subscription: subscription)
    if let hook = hook.withLock({ $0 }) { hook(report) } else if tracing > .off { print(report) }
  }

  private static func print(_ report: Tracing.Report) {
    writeToStandardError("Weir: \(report)\n")
  }

  private static func name(_ node: TraceNode) -> String {
    "\(node.name)\(node.location.map { " at \($0)" } ?? "")"
  }

  // MARK: Reports of wrappers

  static func report(_ fault: Conduct.Fault, at node: TraceNode) {
    switch fault {
    case .violation(let violation): make(.violation, "\(name(node)) \(violation).", at: node)
    case .lateFailure(let error):
      make(.lateFailure, "\(name(node)) sent a failure after its termination: \(error).", at: node)
    case .failure(let error): make(.failure, "\(origin(of: node)) failed: \(error).", at: node)
    }
  }

  /// Returns the publisher in which a failure began.
  private static func origin(of node: TraceNode) -> String {
    var node = node
    while let before = node.state.withLock({ $0.upstreams.elements.map(\.node) }).lazy.compactMap({ $0 }).last(
      where: \.hasFailed)
    {
      node = before
    }
    return name(node)
  }

  // MARK: Reports of borders

  /// Whether violations outside of traced pipelines are reported.
  ///
  /// Each is passed to the hook, and a debug build also writes the first of each kind.
  static var reportsViolations: Bool {
    #if DEBUG
    return tracing == .off
    #else
    return isReporting.load(ordering: .relaxed) && tracing == .off
    #endif
  }

  #if DEBUG
  // Safety: the lock protects every access to its content. (`ReportTests`)
  private nonisolated(unsafe) static let told = Locked<Set<String>>([])
  #endif

  /// Reports that a publisher, whose type can be unknown, has violated a rule.
  static func report(_ violation: Conduct.Violation, by publisher: (any Any.Type)?) {
    let isWanted = isReporting.load(ordering: .relaxed)
    #if !DEBUG
    // Performance: a publisher that delivers on several threads calls this with each value.
    guard isWanted else { return }
    #endif
    let node = TraceScope.current.delivery
    let who = node.map(name) ?? publisher.map(shortName) ?? "A publisher"
    let message = "\(who) \(violation)."
    if isWanted { return make(.violation, message, at: node) }
    #if DEBUG
    let kind = "\(who) \(violation.rule)"
    if told.withLock({ $0.insert(kind).inserted }) {
      print(Tracing.Report(kind: .violation, message: message, subscription: nil))
    }
    #endif
  }

  // MARK: Reports of operators and subjects

  /// Reports a value that was dropped, either before a subscriber received it or by the current operator.
  @usableFromInline
  @inline(never)
  package static func dropped<Value>(
    _ value: Value, by name: StaticString = "A publisher", onTheWayTo subscriber: @autoclosure () -> Any? = nil
  ) {
    guard isReporting.load(ordering: .relaxed) else { return }
    let node = subscriber().map { introspectedSubscriber($0)?.node } ?? TraceScope.current.node
    let who = node.map(self.name) ?? name.description
    make(.droppedValue, "\(who) dropped a value that arrived without demand: \(value).", at: node)
  }

  /// Reports a failure that arrived after the termination.
  @usableFromInline
  @inline(never)
  package static func late<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    guard isReporting.load(ordering: .relaxed), case .failure(let error) = completion else { return }
    let scope = TraceScope.current
    if !scope.isTold { make(.lateFailure, "A failure arrived after the termination: \(error).", at: scope.any) }
  }

  /// The current pipeline, for the message with which the program stops; empty if it is unknown.
  @usableFromInline
  @inline(never)
  package static var pipeline: String {
    guard let node = TraceScope.current.any else { return "" }
    let steps = LiveSubscription(node.last, feeders: Feeders(TraceRegistry.live), showsEnded: true).path
    return "\nThe pipeline, from its source:" + steps.map { "\n    \($0)" }.joined()
  }
}

extension TraceNode {
  fileprivate var hasFailed: Bool { state.withLock { $0.conduct.step == .failed } }
}

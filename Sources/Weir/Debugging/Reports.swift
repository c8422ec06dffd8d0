public import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension Tracing {
  /// Something of which a program might want to know, and the pipeline where it happened.
  public struct Report: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
      /// A failure reached the subscriber at the end of a pipeline.
      case failure
      /// A publisher broke a rule that all publishers keep.
      case violation
      /// A value was dropped, because nobody had asked for it and nothing had room for it.
      case droppedValue
      /// A failure came when all was over, and nobody heard of it.
      case lateFailure
    }

    /// What happened.
    public let kind: Kind

    /// What happened, in words.
    public let message: String

    /// The pipeline where it happened, if that is known: if it began while ``tracing`` was on.
    public let subscription: LiveSubscription?

    /// The message, and the pipeline a step a line.
    public var description: String {
      let steps = subscription?.path.map { "\n    \($0)" } ?? []
      return message + steps.joined()
    }
  }

  /// What is called with each report.
  ///
  /// Without it, reports are written to standard error while ``tracing`` is on, and a debug build writes the first violation of each
  /// kind by each type of publisher while it is off. With it, violations, dropped values and late failures are reported while
  /// tracing is off, too, without their pipelines; a violation of a rule other than "one thread at a time", if the hook is set
  /// when the publisher is subscribed to.
  ///
  /// - Threading: may be read and set on any thread. It is called on the thread where something happens, with no lock held.
  public static var onReport: (@Sendable (Report) -> Void)? {
    get { Reports.hook.withLock { $0 } }
    set {
      let before = Reports.hook.withLock { hook in
        let before = hook
        hook = newValue
        return before
      }
      Witnesses.setReporting(newValue != nil)
      withExtendedLifetime(before) {}
    }
  }
}

/// Where reports come from.
@usableFromInline
package enum Reports {
  /// Whether anybody would hear of one.
  @usableFromInline
  static let areWanted = Atomic<Bool>(false)

  // Safety: the lock protects every access to its content. (`ReportTests`)
  fileprivate nonisolated(unsafe) static let hook = Locked<(@Sendable (Tracing.Report) -> Void)?>(nil)

  private static func make(_ kind: Tracing.Report.Kind, _ message: String, at node: TraceNode?) {
    let subscription = node.map { LiveSubscription($0.last, feeders: Feeders(TraceRegistry.live), showsEnded: true) }
    let report = Tracing.Report(kind: kind, message: message, subscription: subscription)
    if let hook = hook.withLock({ $0 }) { hook(report) } else if tracing > .off { print(report) }
  }

  private static func print(_ report: Tracing.Report) {
    var text = "Weir: \(report)\n"
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    #else
    Swift.print(text, terminator: "")
    #endif
  }

  private static func name(_ node: TraceNode) -> String {
    "\(node.name)\(node.location.map { " at \($0)" } ?? "")"
  }

  // MARK: What the wrappers see

  static func tell(of fault: Conduct.Fault, at node: TraceNode) {
    switch fault {
    case .violation(let breach): make(.violation, "\(name(node)) \(breach).", at: node)
    case .lateFailure(let error): make(.lateFailure, "\(name(node)) failed after its end: \(error).", at: node)
    case .failure(let error): make(.failure, "\(origin(of: node)) failed: \(error).", at: node)
    }
  }

  /// The publisher with which a failure began.
  private static func origin(of node: TraceNode) -> String {
    var node = node
    while let before = node.state.withLock({ $0.upstreams.map(\.node) }).lazy.compactMap({ $0 }).last(
      where: \.hasFailed)
    {
      node = before
    }
    return name(node)
  }

  // MARK: What borders see

  /// Whether violations are reported that the tracer doesn't see: each to the hook, and in a debug build the first of each kind.
  static var tellsOfBreaches: Bool {
    #if DEBUG
    return tracing == .off
    #else
    return areWanted.load(ordering: .relaxed) && tracing == .off
    #endif
  }

  #if DEBUG
  // Safety: the lock protects every access to its content. (`ReportTests`)
  private nonisolated(unsafe) static let told = Locked<Set<String>>([])
  #endif

  /// Reports that a publisher, of a type that may be unknown, has broken a rule.
  static func tell(of breach: Conduct.Breach, by publisher: (any Any.Type)?) {
    let isWanted = areWanted.load(ordering: .relaxed)
    #if !DEBUG
    // Performance: a publisher that delivers on several threads gets here with each value.
    guard isWanted else { return }
    #endif
    let node = TraceScope.current.delivery
    let who = node.map(name) ?? publisher.map(shortName) ?? "A publisher"
    let message = "\(who) \(breach)."
    if isWanted { return make(.violation, message, at: node) }
    #if DEBUG
    let kind = "\(who) \(breach.rule)"
    if told.withLock({ $0.insert(kind).inserted }) {
      print(Tracing.Report(kind: .violation, message: message, subscription: nil))
    }
    #endif
  }

  // MARK: What operators and subjects see

  /// A value was dropped, on its way to a subscriber or by the operator that runs.
  @usableFromInline
  @inline(never)
  package static func dropped<Value>(
    _ value: Value, by name: StaticString = "A publisher", onTheWayTo subscriber: @autoclosure () -> Any? = nil
  ) {
    guard areWanted.load(ordering: .relaxed) else { return }
    let node = subscriber().map { witnessedParty($0)?.node } ?? TraceScope.current.node
    let who = node.map(self.name) ?? name.description
    make(.droppedValue, "\(who) dropped a value that nobody had asked for: \(value).", at: node)
  }

  /// A failure, or a finish, came when all was over.
  @usableFromInline
  @inline(never)
  package static func late<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    guard areWanted.load(ordering: .relaxed), case .failure(let error) = completion else { return }
    let scope = TraceScope.current
    if !scope.isTold { make(.lateFailure, "A failure came after the end: \(error).", at: scope.any) }
  }

  /// The pipeline that runs, for the message with which the program ends; empty if it isn't known.
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

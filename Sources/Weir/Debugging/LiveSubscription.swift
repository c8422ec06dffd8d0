extension Subscriptions {
  /// Returns the live subscriptions, one for each subscriber at the end of a pipeline, the oldest first.
  ///
  /// Subscriptions that began while ``tracing`` was off are not included. Completed, cancelled and deallocated
  /// subscriptions are not included either. The list retains no subscription. It includes a subscription whose operator
  /// has completed without cancelling it.
  ///
  /// - Threading: can be called on any thread. Concurrent changes may or may not be included.
  public static func live() -> [LiveSubscription] {
    let nodes = TraceRegistry.live
    let feeders = Feeders(nodes)
    return nodes.filter { $0.isLast && !feeders.areFollowed($0) }
      .map { LiveSubscription($0, feeders: feeders) }
  }
}

/// A snapshot of a subscription at the end of a pipeline, with all steps before it.
public struct LiveSubscription: Sendable, CustomStringConvertible {
  /// A source, an operator, or the subscriber at the end.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// The state of a subscription: what it waits for, or how it ended.
    public enum State: Hashable, Sendable {
      /// The publisher has not sent a subscription.
      case waitsForSubscription
      /// The publisher has delivered all requested values, and waits for further demand.
      case waitsForDemand
      /// The publisher has delivered fewer values than requested.
      case waitsForValue
      /// The publisher has finished.
      case finished
      /// The publisher has failed.
      case failed
      /// The subscription was cancelled.
      case cancelled
    }

    /// The name of the publisher as in the code that created it, or of the subscriber for the last step.
    public let name: String

    /// The place where it was assembled, or where the last subscriber was attached, if that was recorded.
    public let location: Tracing.Location?

    /// The name of a ``Publisher/checkpoint(_:file:line:)``.
    public let checkpoint: String?

    /// The total demand that was requested from the publisher.
    public let requested: Subscribers.Demand

    /// The number of values that the publisher has delivered.
    public let received: Int

    /// The state of the subscription.
    public let state: State

    /// The nesting depth of the step's branch.
    ///
    /// The steps before an operator with several upstreams are one level deeper. Each branch is listed from its source
    /// to its last step.
    public let depth: Int

    /// A line with the name, the place and the numbers.
    public var description: String {
      var text = String(repeating: "| ", count: depth) + name
      if let checkpoint { text += " \"\(checkpoint)\"" }
      if let location { text += " at \(location)" }
      return
        "\(text): requested \(requested == .unlimited ? "unlimited" : String(requested.max ?? 0)), received \(received), \(state)"
    }
  }

  /// The steps from the source to the subscriber; those of each branch precede its operator.
  public let path: [Step]

  /// The total demand that the subscriber has requested.
  public var requested: Subscribers.Demand { path.last?.requested ?? .none }

  /// The number of values that the subscriber has received.
  public var received: Int { path.last?.received ?? 0 }

  /// The state of the subscriber's subscription.
  public var state: Step.State { path.last?.state ?? .waitsForSubscription }

  /// The steps, one on each line.
  public var description: String {
    path.map(\.description).joined(separator: "\n")
  }
}

extension LiveSubscription.Step.State: CustomStringConvertible {
  /// The state in words.
  public var description: String {
    switch self {
    case .waitsForSubscription: "waits for its subscription"
    case .waitsForDemand: "waits for demand"
    case .waitsForValue: "waits for a value"
    case .finished: "has finished"
    case .failed: "has failed"
    case .cancelled: "was cancelled"
    }
  }

  var isTerminated: Bool { self == .finished || self == .failed || self == .cancelled }
}

// MARK: Creating the snapshot

/// The live subscriptions that feed a subject, by the subject.
///
/// With them, the steps before a `share` belong to the paths of all its subscribers.
struct Feeders {
  private var byTarget: [ObjectIdentifier: [TraceNode]] = [:]
  private var followed: Set<ObjectIdentifier> = []

  init(_ live: [TraceNode]) {
    for node in live where node.isLast {
      if let fed = node.fed { byTarget[fed, default: []].append(node) }
    }
    followed = Set(live.compactMap(\.object))
  }

  func feeding(_ object: ObjectIdentifier?) -> [TraceNode] {
    object.flatMap { byTarget[$0] } ?? []
  }

  /// Whether the publisher that it feeds has subscribers, whose paths include it.
  func areFollowed(_ node: TraceNode) -> Bool {
    node.fed.map(followed.contains) ?? false
  }
}

extension TraceNode {
  /// Whether no node behind it is alive.
  fileprivate var isLast: Bool { downstream?.isTerminated ?? true }
}

extension LiveSubscription {
  /// Creates a snapshot; `showsEnded` includes nodes that have just ended, for the report of a failure.
  init(_ last: TraceNode, feeders: Feeders, showsEnded: Bool = false) {
    var steps: [Step] = []
    var seen: Set<ObjectIdentifier> = []
    func add(_ node: TraceNode, depth: Int) {
      guard seen.insert(ObjectIdentifier(node)).inserted else { return }
      let upstreams = node.upstreams(showingEnded: showsEnded) + feeders.feeding(node.object)
      for upstream in upstreams { add(upstream, depth: upstreams.count > 1 ? depth + 1 : depth) }
      if !node.isPartOfNext { steps.append(Step(node, name: node.name, location: node.location, depth: depth)) }
    }
    add(last, depth: 0)
    // For a node that its operator has abandoned, the operator's nodes are shown too.
    var end = last
    while let next = end.downstream {
      steps.append(Step(next, name: next.name, location: next.location, depth: 0))
      end = next
    }
    let location = end.end.flatMap(AssemblySites.location)
    steps.append(Step(end, name: shortName(of: end.subscriber), location: location, depth: 0, isEnd: true))
    path = steps
  }
}

extension LiveSubscription.Step {
  fileprivate init(_ node: TraceNode, name: String, location: Tracing.Location?, depth: Int, isEnd: Bool = false) {
    let conduct = node.state.withLock { $0.conduct }
    self.name = name
    self.location = location
    checkpoint = isEnd ? nil : node.checkpoint?.name
    requested = conduct.requested
    received = conduct.received
    state = conduct.step
    self.depth = depth
  }
}

extension TraceNode {
  var location: Tracing.Location? { checkpoint?.location ?? AssemblySites.location(of: assemblySite) }

  /// Whether a publisher behind it consists of it, so that both have the same place.
  fileprivate var isPartOfNext: Bool {
    guard let location else { return false }
    var next = downstream
    while let node = next, node.location == location {
      if node.publisher is any CompositePublisher.Type { return true }
      next = node.downstream
    }
    return false
  }

  /// Returns the upstreams that are alive.
  ///
  /// If `showingEnded` is true, it also returns those that have failed, or all if no upstream is alive or failed.
  fileprivate func upstreams(showingEnded: Bool) -> [TraceNode] {
    let all = state.withLock { $0.upstreams.elements.map(\.node) }.compactMap { $0 }
    let alive = all.filter { node in
      let step = node.state.withLock { $0.conduct.step }
      return !step.isTerminated || showingEnded && step == .failed
    }
    return alive.isEmpty && showingEnded ? all : alive
  }
}

/// Returns a type's name without generic parameters; an operator's name is that of its method.
func shortName(of type: any Any.Type) -> String {
  let name = _typeName(type, qualified: true).prefix { $0 != "<" }
  let parts = name.split(separator: ".")
  guard var last = parts.last.map(String.init) else { return String(name) }
  if last == "Publisher", parts.count > 1 { return "\(parts[parts.count - 2]).Publisher" }
  if parts.dropLast().last == "Publishers", let first = last.first {
    last.replaceSubrange(...last.startIndex, with: first.lowercased())
  }
  return last
}

extension Subscriptions {
  /// The subscriptions that are alive, one for each subscriber at the end of a pipeline, the oldest first.
  ///
  /// Those that began while ``tracing`` was off aren't known. What has ended, was cancelled or released is not among them;
  /// being listed keeps nothing alive. A subscription whose operator has ended without cancelling it is, too.
  ///
  /// - Threading: may be called from any thread; what other threads do meanwhile may or may not be in it.
  public static func live() -> [LiveSubscription] {
    let nodes = TraceRegistry.live
    let feeders = Feeders(nodes)
    return nodes.filter { $0.isLast && !feeders.areFollowed($0) }
      .map { LiveSubscription($0, feeders: feeders) }
  }
}

/// A snapshot of the subscription of a subscriber at the end of a pipeline, with all that lies before it.
public struct LiveSubscription: Sendable, CustomStringConvertible {
  /// A source, an operator, or the subscriber at the end.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// What a subscription waits for, or how it ended.
    public enum State: Hashable, Sendable {
      /// The publisher has not handed over a subscription.
      case waitsForSubscription
      /// The publisher has delivered all that it was asked for: it waits to be asked for more.
      case waitsForDemand
      /// The publisher was asked for more than it has delivered.
      case waitsForValue
      /// The publisher has finished.
      case finished
      /// The publisher has failed.
      case failed
      /// The subscription was cancelled.
      case cancelled
    }

    /// The publisher's name, as the code that made it calls it; for the last step the subscriber's.
    public let name: String

    /// Where it was assembled, and where the subscriber at the end was attached, if that was remembered.
    public let location: Tracing.Location?

    /// The name that a ``Publisher/checkpoint(_:file:line:)`` has.
    public let checkpoint: String?

    /// What the publisher was asked for, all together.
    public let requested: Subscribers.Demand

    /// How many values it has delivered.
    public let received: Int

    /// What it waits for.
    public let waitsFor: State

    /// How many branches it lies away from the main line.
    ///
    /// The steps of an operator that listens to several publishers are one deeper, each branch from its source to its end.
    public let depth: Int

    /// The name, the place and the numbers in a line.
    public var description: String {
      var text = String(repeating: "| ", count: depth) + name
      if let checkpoint { text += " \"\(checkpoint)\"" }
      if let location { text += " at \(location)" }
      return
        "\(text): asked for \(requested == .unlimited ? "all" : String(requested.max ?? 0)), got \(received), \(waitsFor)"
    }
  }

  /// The steps from the source to the subscriber; those of each branch come before the operator that they lead to.
  public let path: [Step]

  /// What the subscriber has asked for, all together.
  public var requested: Subscribers.Demand { path.last?.requested ?? .none }

  /// How many values the subscriber has got.
  public var received: Int { path.last?.received ?? 0 }

  /// What the subscriber waits for.
  public var waitsFor: Step.State { path.last?.waitsFor ?? .waitsForSubscription }

  /// The steps, a line each.
  public var description: String {
    path.map(\.description).joined(separator: "\n")
  }
}

extension LiveSubscription.Step.State: CustomStringConvertible {
  /// What a subscription waits for, or how it ended, in words.
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

  var isOver: Bool { self == .finished || self == .failed || self == .cancelled }
}

// MARK: Taking the snapshot

/// The live subscriptions that feed a subject, by the subject.
///
/// So what lies before a `share` belongs to the paths of all who share it.
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

  /// Whether what it feeds has subscribers, in whose paths it is.
  func areFollowed(_ node: TraceNode) -> Bool {
    node.fed.map(followed.contains) ?? false
  }
}

extension TraceNode {
  /// Whether nobody further on is alive.
  fileprivate var isLast: Bool { downstream?.isOver ?? true }
}

extension LiveSubscription {
  /// With `showsEnded` it has what has just ended, too, for the report of a failure.
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
    // Of one that its operator has left behind, what it belonged to is shown.
    var end = last
    while let next = end.downstream {
      steps.append(Step(next, name: next.name, location: next.location, depth: 0))
      end = next
    }
    let location = end.end.flatMap(CallSites.location)
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
    waitsFor = conduct.step
    self.depth = depth
  }
}

extension TraceNode {
  var location: Tracing.Location? { checkpoint?.location ?? CallSites.location(of: place) }

  /// Whether a publisher further on consists of it: they have one place then.
  fileprivate var isPartOfNext: Bool {
    guard let location else { return false }
    var next = downstream
    while let node = next, node.location == location {
      if node.publisher is any Composed.Type { return true }
      next = node.downstream
    }
    return false
  }

  /// Those that are alive.
  ///
  /// With those that have ended: those that are alive or have failed, or all, where that is none.
  fileprivate func upstreams(showingEnded: Bool) -> [TraceNode] {
    let all = state.withLock { $0.upstreams.map(\.node) }.compactMap { $0 }
    let alive = all.filter { node in
      let step = node.state.withLock { $0.conduct.step }
      return !step.isOver || showingEnded && step == .failed
    }
    return alive.isEmpty && showingEnded ? all : alive
  }
}

/// The name of a type without its parameters: as a method is called for an operator, as a type for others.
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

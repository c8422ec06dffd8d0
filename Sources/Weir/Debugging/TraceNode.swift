import Synchronization

// Safety: `state` is behind its lock, and all other properties are constants. (`TracingTests`)
/// What is known of one subscription: that of an operator, or of a subscriber at the end, to a publisher.
///
/// It knows no values and no objects of the user's, only types and numbers, so it keeps nothing alive. The wrapper of the
/// subscriber and that of the subscription hold it, and so do the nodes of its upstreams.
final class TraceNode: @unchecked Sendable {
  struct State {
    var conduct = Conduct()
    var upstreams: [Weakly] = []
  }

  struct Weakly {
    weak var node: TraceNode?
  }

  /// They are counted from the beginning of the program.
  let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue

  private static let nextNumber = Atomic(0)

  let publisher: any Any.Type

  /// The subscriber at the end.
  let subscriber: any Any.Type

  /// Where the publisher was assembled.
  let place: Place

  /// Where the subscriber at the end was attached.
  let end: Place?

  let checkpoint: (name: String, location: Tracing.Location)?

  /// The publisher, if it is a subject or another object that others may feed, and the object that the subscriber feeds.
  let object, fed: ObjectIdentifier?

  /// The node of the operator that subscribes.
  let downstream: TraceNode?

  let state = Locked(State())

  init<Upstream: Publisher, Downstream: Subscriber>(
    _ publisher: Upstream, subscriber: Downstream, downstream: TraceNode?
  ) {
    self.publisher = Upstream.self
    let shown = (subscriber as? any ConditionallyInner)?.erased ?? subscriber
    let target = (shown as? any FeedingSubscriber)?.target
    self.subscriber = target.map { type(of: $0) } ?? type(of: shown)
    self.downstream = downstream
    place = (publisher as? any Assembled)?.place ?? Place(number: 0)
    end = downstream == nil ? Place() : nil
    checkpoint = (publisher as? any Checkpointed)?.checkpoint
    object = Upstream.self is AnyObject.Type ? ObjectIdentifier(publisher as AnyObject) : nil
    fed = target.map { ObjectIdentifier($0) }
    TraceRegistry.add(self)
    downstream?.state.withLock { state in
      state.upstreams.removeAll { $0.node == nil }
      state.upstreams.append(Weakly(node: self))
    }
  }

  deinit {
    TraceRegistry.remove(ObjectIdentifier(self))
  }

  var isOver: Bool { state.withLock { $0.conduct.step.isOver } }

  /// The one at the end.
  var last: TraceNode {
    var node = self
    while let next = node.downstream { node = next }
    return node
  }

  var name: String { shortName(of: publisher) }

  // MARK: What happens

  func subscribed() -> Conduct.Fault? {
    state.withLock { $0.conduct.noteSubscription() }
  }

  func requested(_ demand: Subscribers.Demand) {
    state.withLock { $0.conduct.noteRequest(demand) }
  }

  func received() -> Conduct.Fault? {
    state.withLock { $0.conduct.noteValue() }
  }

  func completed<Failure: Error>(_ completion: Subscribers.Completion<Failure>) -> Conduct.Fault? {
    let fault = state.withLock { $0.conduct.noteEnd(completion) }
    // A failure is told of where the pipeline ends.
    if case .failure = fault, downstream != nil { return nil }
    return fault
  }

  func cancelled() {
    state.withLock { $0.conduct.noteCancel() }
  }
}

/// The nodes that there are.
enum TraceRegistry {
  // Safety: the lock protects every access to its content. (`TracingTests`)
  private nonisolated(unsafe) static let nodes = Locked<[ObjectIdentifier: TraceNode.Weakly]>([:])

  static func add(_ node: TraceNode) {
    let weakly = TraceNode.Weakly(node: node)
    nodes.withLock { $0[ObjectIdentifier(node)] = weakly }
  }

  static func remove(_ node: ObjectIdentifier) {
    nodes.withLock { _ = $0.removeValue(forKey: node) }
  }

  /// Those that haven't ended.
  static var live: [TraceNode] {
    // The last reference to a node must not go under the lock, which it takes to be removed.
    let all = nodes.withLock { $0.values.map(\.node) }
    return all.compactMap { $0 }.filter { !$0.isOver }.sorted { $0.number < $1.number }
  }
}

import Synchronization

// Safety: the lock protects `state`, and all other properties are constants. (`TracingTests`)
/// The record of one subscription of an operator, or of a subscriber at the end of a pipeline, to a publisher.
///
/// It stores types and numbers, but no values and no user objects, so it retains none of them. The wrappers of the
/// subscriber and of the subscription retain it, and so do the nodes of its upstreams.
final class TraceNode: @unchecked Sendable {
  struct State {
    var conduct = Conduct()
    /// The upstreams, including some that have been deallocated.
    var upstreams = WeakList<Weakly> { $0.node }
  }

  struct Weakly {
    weak var node: TraceNode?
  }

  /// The number of this node since the program started.
  let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue

  private static let nextNumber = Atomic(0)

  let publisher: any Any.Type

  /// The type of the subscriber at the end of the pipeline.
  let subscriber: any Any.Type

  /// The place where the publisher was assembled.
  let assemblySite: AssemblySite

  /// The place where the subscriber at the end of the pipeline was attached.
  let end: AssemblySite?

  let checkpoint: (name: String, location: Tracing.Location)?

  /// The publisher, if it is an object that others can feed, and the object that the subscriber feeds.
  let object, fed: ObjectIdentifier?

  /// The node of the subscribing operator.
  let downstream: TraceNode?

  let state = Locked(State())

  init<Upstream: Publisher, Downstream: Subscriber>(
    _ publisher: Upstream, subscriber: Downstream, downstream: TraceNode?
  ) {
    self.publisher = Upstream.self
    let shown = (subscriber as? any ConditionalOperatorSubscriber)?.erased ?? subscriber
    let target = (shown as? any FeedingSubscriber)?.target
    self.subscriber = target.map { type(of: $0) } ?? type(of: shown)
    self.downstream = downstream
    assemblySite = (publisher as? any AssemblyTraced)?.assemblySite ?? AssemblySite(number: 0)
    end = downstream == nil ? AssemblySite() : nil
    checkpoint = (publisher as? any Checkpointed)?.checkpoint
    object = Upstream.self is AnyObject.Type ? ObjectIdentifier(publisher as AnyObject) : nil
    fed = target.map { ObjectIdentifier($0) }
    TraceRegistry.add(self)
    _ = downstream?.state.withLock { $0.upstreams.append(Weakly(node: self)) }
  }

  deinit {
    TraceRegistry.remove(ObjectIdentifier(self))
  }

  var isTerminated: Bool { state.withLock { $0.conduct.step.isTerminated } }

  /// The node at the end of the pipeline.
  var last: TraceNode {
    var node = self
    while let next = node.downstream { node = next }
    return node
  }

  var name: String { shortName(of: publisher) }

  // MARK: Events

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
    // A failure is reported at the end of the pipeline.
    if case .failure = fault, downstream != nil { return nil }
    return fault
  }

  func cancelled() {
    state.withLock { $0.conduct.noteCancel() }
  }
}

/// The registry of all nodes.
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

  /// The nodes that have not ended.
  static var live: [TraceNode] {
    // The last reference to a node must not be released under the lock, which its `deinit` acquires.
    let all = nodes.withLock { $0.values.map(\.node) }
    return all.compactMap { $0 }.filter { !$0.isTerminated }.sorted { $0.number < $1.number }
  }
}

import Synchronization
import Weir

/// Reads for one subscriber: first its own pending entries, then those that others have abandoned, then new ones.
///
/// One command is in flight at a time. Its maximum number of entries is the demand at the time when it is sent.
///
/// Safety: it is confined to its lane, except for pending demand, which is behind a lock, and one flag.
final class GroupReader: Subscription, CustomStringConvertible, @unchecked Sendable {
  typealias Downstream = AnySubscriber<RedisStreamEntry, RedisError>

  private enum Step {
    case setUp
    case recover(after: StreamID)
    case claim(from: StreamID)
    case read
  }

  private struct Inbox {
    var demand = Subscribers.Demand.none
    var isScheduled = false
  }

  private let inbox = Mutex(Inbox())
  private let isCancelled = Atomic<Bool>(false)

  private let source: RedisStreamPublisher
  private let lane: Lane
  private let line: Line
  private let acknowledger: Acknowledger

  // Confined to the lane.
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var isBusy = false
  private var isSetUp = false
  private var connectionID = 0

  /// The position up to which this consumer's own entries have been read again; `nil` if all have.
  private var recovered: StreamID?

  /// The position for claiming abandoned entries; `nil` if it isn't time.
  private var claimed: StreamID?

  /// The delivered entries whose acknowledgement is not confirmed.
  private var inHand: Set<StreamID> = []

  init(_ source: RedisStreamPublisher, _ downstream: Downstream) {
    self.source = source
    self.downstream = downstream
    lane = source.lanes.make("weir.redis.\(source.stream).\(source.consumer)")
    line = Line(source.transport, source.options.backoff, on: lane)
    acknowledger = Acknowledger(
      Line(source.transport, source.options.backoff, on: source.lanes.make("weir.redis.acknowledge")),
      stream: source.stream, group: source.group, consumer: source.consumer)
    claimed = source.options.claimAfter == nil ? nil : .zero
  }

  deinit {
    lane.run { [line] in line.stop() }
  }

  var description: String { "RedisStream" }

  // MARK: From any thread

  func begin() {
    lane.run { self.start() }
  }

  func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    let isFirst = inbox.withLock { inbox in
      inbox.demand += demand
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    if isFirst { lane.run { self.takeDemand() } }
  }

  func cancel() {
    if !isCancelled.exchange(true, ordering: .relaxed) { lane.run { self.cancelled() } }
  }

  // MARK: On the lane

  private func start() {
    if downstream == nil { return }
    line.onConnect = { [weak self] in self?.connected() }
    line.onLoss = { [weak self] error, wait in self?.lost(error, wait) }
    line.onEnd = { [weak self] error in self?.end(error) }
    line.start()
    // A consumer that can't acknowledge would repeat all of its work.
    acknowledger.start { [weak self, lane] error in lane.run { [weak self] in self?.end(error) } }
  }

  private func takeDemand() {
    demand += inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox.demand
    }
    goOn()
  }

  private func connected() {
    isSetUp = false
    isBusy = false
    goOn()
  }

  private func lost(_ error: RedisError, _ wait: Duration) {
    isBusy = false
    if downstream == nil { return line.stop() }
    source.options.onStatus(.disconnected(error, retryAfter: wait))
  }

  private func end(_ error: RedisError) {
    let last = downstream
    downstream = nil
    line.stop()
    if !isCancelled.load(ordering: .relaxed) { last?.receive(completion: .failure(error)) }
  }

  private func cancelled() {
    if downstream == nil { return }
    downstream = nil
    demand = .none
    // A command in flight may return entries, which must be given back.
    if isBusy { acknowledger.unblock(connectionID) } else { line.stop() }
  }

  private func goOn() {
    guard downstream != nil, !isBusy, line.isConnected, let step = nextStep else { return }
    isBusy = true
    // Entries that were confirmed before this command can't be in its answer.
    for id in acknowledger.takeConfirmed() { inHand.remove(id) }
    line.send(commands(for: step)) { result in
      if case .success(let replies) = result { self.answered(step, replies) }
    }
  }

  private var nextStep: Step? {
    if !isSetUp { return .setUp }
    if demand == .none { return nil }
    if let recovered { return .recover(after: recovered) }
    if let claimed { return .claim(from: claimed) }
    return .read
  }

  private func commands(for step: Step) -> [RedisCommand] {
    let (group, consumer, stream) = (source.group, source.consumer, source.stream)
    let count = String(min(demand.max ?? .max, source.options.batch))
    switch step {
    case .setUp: return [["XGROUP", "CREATE", stream, group, "0", "MKSTREAM"], ["CLIENT", "ID"]]
    case .recover(let id):
      return [["XREADGROUP", "GROUP", group, consumer, "COUNT", count, "STREAMS", stream, id.description]]
    case .claim(let id):
      let idle = String(Int((source.options.claimAfter ?? .zero) / .milliseconds(1)))
      return [["XAUTOCLAIM", stream, group, consumer, idle, id.description, "COUNT", count]]
    case .read:
      // A blocked read can't claim abandoned entries.
      let wait = min(source.options.block, source.options.claimAfter ?? source.options.block)
      let block = String(max(1, Int(wait / .milliseconds(1))))
      return [["XREADGROUP", "GROUP", group, consumer, "COUNT", count, "BLOCK", block, "STREAMS", stream, ">"]]
    }
  }

  private func answered(_ step: Step, _ replies: [RedisReply]) {
    if let refusal = replies.lazy.compactMap(\.refusal).first(where: { !$0.saysThatGroupExists }) {
      isBusy = false
      if downstream == nil { return line.stop() }
      guard refusal.saysThatGroupIsGone else { return end(refusal.error) }
      isSetUp = false
      return goOn()
    }
    let entries = take(step, replies)
    let left = deliver(entries)
    isBusy = false
    if downstream != nil, !isCancelled.load(ordering: .relaxed) { return goOn() }
    if !left.isEmpty { acknowledger.giveBack(left, idle: source.options.claimAfter ?? .zero) }
    downstream = nil
    line.stop()
  }

  /// Updates the state for an answer, and returns its entries.
  private func take(_ step: Step, _ replies: [RedisReply]) -> [RawEntry] {
    let reply = replies[0]
    switch step {
    case .setUp:
      connectionID = replies[1].integer ?? 0
      isSetUp = true
      recovered = .zero
      if downstream != nil { source.options.onStatus(.connected) }
      return []
    case .recover:
      let entries = Self.entries(of: reply)
      recovered = entries.last?.id
      return entries
    case .claim:
      let next = reply.elements.first?.text.flatMap(StreamID.init) ?? .zero
      claimed = next == .zero ? nil : next
      if claimed == nil { claimLater() }
      return (reply.elements.dropFirst().first?.elements ?? []).compactMap(RawEntry.init)
    case .read: return Self.entries(of: reply)
    }
  }

  /// The entries of the one stream in the answer.
  private static func entries(of reply: RedisReply) -> [RawEntry] {
    (reply.elements.first?.elements.last?.elements ?? []).compactMap(RawEntry.init)
  }

  private func claimLater() {
    guard let wait = source.options.claimAfter else { return }
    lane.runAfter(max(wait / 2, .milliseconds(1))) { [weak self] in self?.claimed = .zero }
  }

  /// Delivers entries; returns the rest, which must be given back.
  private func deliver(_ entries: [RawEntry]) -> [StreamID] {
    for (index, entry) in entries.enumerated() {
      guard let downstream, !isCancelled.load(ordering: .relaxed) else { return entries[index...].map(\.id) }
      guard let fields = entry.fields else {
        // The entry was deleted, but is still pending for this consumer. It is acknowledged without a delivery.
        acknowledger.acknowledge(entry.id)
        continue
      }
      guard inHand.insert(entry.id).inserted else { continue }
      demand -= 1
      demand += downstream.receive(RedisStreamEntry(id: entry.id, fields: fields, acknowledger: acknowledger))
    }
    return []
  }
}

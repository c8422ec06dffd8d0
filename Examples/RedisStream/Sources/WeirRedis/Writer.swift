import Synchronization
import Weir

/// The writer of a ``RedisStreamSubscriber``.
///
/// Safety: it is confined to its lane, except for the events of other threads, which are behind a lock.
final class Writer<Failure: Error>: @unchecked Sendable {
  typealias End = RedisStreamSubscriber<Failure>.End

  private struct Inbox: Sendable {
    var values: [StreamFields] = []
    var end: End?
    var isCancelled = false
    var hasSubscription = false
    var isScheduled = false
  }

  private let inbox = Mutex(Inbox())

  private let stream: String
  private let line: Line
  private let bound: Int
  private let batch: Int
  private let poll: Duration
  private let onStatus: @Sendable (RedisStatus) -> Void
  private let onEnd: @Sendable (End) -> Void

  // Confined to the lane.
  private var upstream: (any Subscription)?
  private var waiting: [StreamFields] = []
  private var sending: [StreamFields] = []
  private var isSending = false
  private var isLooking = false
  private var end: End?
  private var isTerminated = false

  /// The outstanding demand.
  private var credit = 0

  init(
    stream: String, line: Line, bound: Int, batch: Int, poll: Duration,
    onStatus: @escaping @Sendable (RedisStatus) -> Void, onEnd: @escaping @Sendable (End) -> Void
  ) {
    self.stream = stream
    self.line = line
    self.bound = bound
    self.batch = batch
    self.poll = poll
    self.onStatus = onStatus
    self.onEnd = onEnd
  }

  // MARK: From any thread

  func receive(_ subscription: any Subscription) {
    let isWanted = inbox.withLock { inbox in
      defer { inbox.hasSubscription = true }
      return !inbox.hasSubscription && !inbox.isCancelled
    }
    guard isWanted else { return subscription.cancel() }
    let handed = Handed(subscription: subscription)
    line.lane.run { self.start(handed.subscription) }
  }

  func receive(_ value: StreamFields) {
    change { $0.values.append(value) }
  }

  func receive(_ completion: Subscribers.Completion<Failure>) {
    let end: End =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failed(error)
      }
    // Only the first completion counts. An unexpected second one must not be released here, under the lock.
    change { inbox in if inbox.end == nil { inbox.end = end } }
  }

  func cancel() {
    change { $0.isCancelled = true }
  }

  private func change(_ change: (inout Inbox) -> Void) {
    let isFirst = inbox.withLock { inbox in
      change(&inbox)
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    if isFirst { line.lane.run { self.takeUp() } }
  }

  // MARK: On the lane

  private func start(_ subscription: any Subscription) {
    if isTerminated { return subscription.cancel() }
    upstream = subscription
    line.onConnect = { self.connected() }
    line.onLoss = { error, wait in
      self.onStatus(.disconnected(error, retryAfter: wait))
    }
    line.onEnd = { self.refused($0) }
    line.start()
  }

  private func takeUp() {
    let (values, newEnd, isCancelled) = inbox.withLock { inbox in
      defer {
        inbox.values = []
        inbox.isScheduled = false
      }
      return (inbox.values, inbox.end, inbox.isCancelled)
    }
    if isTerminated { return }
    credit -= values.count
    waiting += values
    end = end ?? newEnd
    if end != nil { upstream = nil }
    if isCancelled {
      let last = upstream
      upstream = nil
      last?.cancel()
    }
    goOn()
  }

  private func connected() {
    isSending = false
    isLooking = false
    onStatus(.connected)
    goOn()
  }

  private func goOn() {
    if isTerminated { return }
    write()
    look()
    if sending.isEmpty, waiting.isEmpty {
      if let end {
        close()
        onEnd(end)
      } else if upstream == nil, inbox.withLock({ $0.isCancelled }) {
        close()
      }
    }
  }

  private func write() {
    guard line.isConnected, !isSending else { return }
    if sending.isEmpty {
      sending = Array(waiting.prefix(batch))
      waiting.removeFirst(sending.count)
    }
    if sending.isEmpty { return }
    isSending = true
    line.send(sending.map { ["XADD", stream, "*"] + $0.words }) { result in
      if case .success(let replies) = result { self.written(replies) }
    }
  }

  private func written(_ replies: [RedisReply]) {
    isSending = false
    sending = []
    if let refusal = replies.lazy.compactMap(\.refusal).first { return refused(refusal.error) }
    goOn()
  }

  private func refused(_ error: RedisError) {
    if isTerminated { return }
    let last = upstream
    close()
    last?.cancel()
    onEnd(.refused(error))
  }

  private func close() {
    isTerminated = true
    upstream = nil
    waiting = []
    line.stop()
  }

  // MARK: The room

  /// Measures the room, when half of the requested values have arrived.
  private func look() {
    guard upstream != nil, line.isConnected, !isLooking, credit <= batch / 2 else { return }
    isLooking = true
    ask([["XINFO", "GROUPS", stream]]) { [self] replies in
      // A stream that doesn't exist has no groups, and the answer is a refusal.
      let groups = replies[0].elements.compactMap(GroupInfo.init)
      ask(groups.map { ["XPENDING", stream, $0.name] } + [["PING"]]) { [self] replies in
        var commands: [RedisCommand] = [["XLEN", stream]]
        if let first = Self.firstNeeded(groups, pending: replies) {
          commands.insert(["XTRIM", stream, "MINID", "=", first.description], at: 0)
        }
        ask(commands) { [self] replies in
          if let refusal = replies.lazy.compactMap(\.refusal).first { return refused(refusal.error) }
          isLooking = false
          found(length: replies.last?.integer ?? 0)
        }
      }
    }
  }

  /// The first entry that a group has not given out, or whose acknowledgement is missing.
  ///
  /// Pending entries are queried after the last given-out entry. So no entry that was given out in between is missed.
  static func firstNeeded(_ groups: [GroupInfo], pending: [RedisReply]) -> StreamID? {
    zip(groups, pending).map { group, reply in
      let firstPending = reply.elements.dropFirst().first?.text.flatMap(StreamID.init)
      return min(group.lastDelivered.next, firstPending ?? group.lastDelivered.next)
    }.min()
  }

  private func ask(_ commands: [RedisCommand], _ answer: @escaping @Sendable ([RedisReply]) -> Void) {
    line.send(commands) { result in
      if case .success(let replies) = result { answer(replies) }
    }
  }

  /// Requests as many values as there is room for; values that are pending or in flight already use room.
  private func found(length: Int) {
    if isTerminated { return }
    let isIdle = credit == 0 && waiting.isEmpty && sending.isEmpty
    let wanted = min(bound - length - waiting.count - sending.count - credit, batch - credit)
    guard wanted >= (isIdle ? 1 : max(1, batch / 4)) else {
      isLooking = true
      return line.lane.runAfter(poll) { [weak self] in self?.lookAgain() }
    }
    credit += wanted
    upstream?.request(.max(wanted))
  }

  private func lookAgain() {
    isLooking = false
    goOn()
  }
}

/// A subscription that is passed to the lane.
///
/// Safety: any thread may use a subscription, although its protocol isn't `Sendable`.
private struct Handed: @unchecked Sendable {
  let subscription: any Subscription
}

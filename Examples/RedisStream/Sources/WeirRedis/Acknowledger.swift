import Synchronization

/// Sends acknowledgements, many at a time, on a connection of its own: the other one waits for entries most of the time.
///
/// It lives as long as an entry does that could still be acknowledged, and while something is to be sent.
///
/// Unchecked because of what is confined to its lane: the line, what is being sent and the end. The rest is guarded.
final class Acknowledger: @unchecked Sendable {
  /// Hears that the server has heard of it, or why it will not.
  typealias Heard = @Sendable (Result<Void, RedisError>) -> Void

  private struct Acknowledgement: Sendable {
    let id: StreamID
    let heard: Heard?
  }

  private struct State {
    var waiting: [Acknowledgement] = []
    var confirmed: [StreamID] = []
    var isScheduled = false
    /// Itself, while something is to be sent.
    var kept: Acknowledger?
  }

  private let state = Mutex(State())
  private let line: Line
  private let stream: String
  private let group: String
  private let consumer: String

  // On the lane.
  private var sending: [Acknowledgement] = []
  private var isUnderWay = false
  private var onEnd: (@Sendable (RedisError) -> Void)?

  /// Why nothing is sent any more.
  private var failure: RedisError?

  init(_ line: Line, stream: String, group: String, consumer: String) {
    self.line = line
    self.stream = stream
    self.group = group
    self.consumer = consumer
    line.onConnect = { [weak self] in self?.connected() }
    line.onLoss = { [weak self] _, _ in self?.isUnderWay = false }
    line.onEnd = { [weak self] error in self?.ended(error) }
  }

  deinit {
    line.lane.run { [line] in line.stop() }
  }

  /// Connects; `onEnd` hears on the lane that the server takes no acknowledgements, and why.
  func start(onEnd: @escaping @Sendable (RedisError) -> Void) {
    line.lane.run {
      self.onEnd = onEnd
      self.line.start()
    }
  }

  func acknowledge(_ id: StreamID, _ heard: Heard? = nil) {
    let isFirst = state.withLock { state in
      state.waiting.append(Acknowledgement(id: id, heard: heard))
      state.kept = self
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { line.lane.run { self.flush() } }
  }

  /// What the server has confirmed since the last call.
  func takeConfirmed() -> [StreamID] {
    state.withLock { state in
      defer { state.confirmed = [] }
      return state.confirmed
    }
  }

  /// Wakes up a connection that waits for entries; in vain if it doesn't.
  func unblock(_ connection: Int) {
    perform(["CLIENT", "UNBLOCK", String(connection)])
  }

  /// Lets others have entries at once, as if they had been idle for so long.
  func giveBack(_ ids: [StreamID], idle: Duration) {
    let milliseconds = Int(idle / .milliseconds(1)) + 1
    perform(
      ["XCLAIM", stream, group, consumer, "0"] + ids.map(\.description) + ["IDLE", String(milliseconds), "JUSTID"])
  }

  private func perform(_ command: RedisCommand) {
    line.lane.run { self.line.send([command]) { _ in withExtendedLifetime(self) {} } }
  }

  // MARK: On the lane

  private func connected() {
    isUnderWay = false
    flush()
  }

  private func flush() {
    state.withLock { $0.isScheduled = false }
    if let failure { return refuse(failure) }
    if isUnderWay || !line.isConnected { return }
    if sending.isEmpty {
      sending = state.withLock { state in
        defer { state.waiting.removeFirst(min(1000, state.waiting.count)) }
        return Array(state.waiting.prefix(1000))
      }
    }
    if sending.isEmpty { return release() }
    isUnderWay = true
    line.send([["XACK", stream, group] + sending.map(\.id.description)]) { result in
      if case .success(let replies) = result { self.answered(replies[0]) }
    }
  }

  private func answered(_ reply: RedisReply) {
    // Only for good: after a refusal that won't last the line connects again, and this sends the same once more.
    if let refusal = reply.refusal { return line.lost(refusal.error) }
    isUnderWay = false
    let sent = sending
    sending = []
    state.withLock { $0.confirmed += sent.lazy.map(\.id) }
    for acknowledgement in sent { acknowledgement.heard?(.success(())) }
    flush()
  }

  private func ended(_ error: RedisError) {
    failure = error
    let last = onEnd
    onEnd = nil
    refuse(error)
    last?(error)
  }

  /// The server will never hear of what waits.
  private func refuse(_ error: RedisError) {
    let sent = sending
    sending = []
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for acknowledgement in sent + waiting { acknowledgement.heard?(.failure(error)) }
    release()
  }

  /// It may be the last that holds this, so it is let go of when the lock is free.
  private func release() {
    let kept = state.withLock { state in
      guard state.waiting.isEmpty else { return nil as Acknowledger? }
      defer { state.kept = nil }
      return state.kept
    }
    withExtendedLifetime(kept) {}
  }
}

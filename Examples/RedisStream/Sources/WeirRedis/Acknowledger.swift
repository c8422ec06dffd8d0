import Synchronization

/// Sends acknowledgements in batches on a separate connection, because the other one is usually blocked in a read.
///
/// It lives while an entry could still be acknowledged, and while acknowledgements are pending.
///
/// Safety: the line, the commands in flight and the termination are confined to its lane. The rest is behind a lock.
final class Acknowledger: @unchecked Sendable {
  /// Receives the server's confirmation, or the reason why it will never confirm.
  typealias Heard = @Sendable (Result<Void, RedisError>) -> Void

  private struct Acknowledgement: Sendable {
    let id: StreamID
    let heard: Heard?
  }

  private struct State {
    var waiting: [Acknowledgement] = []
    var confirmed: [StreamID] = []
    var isScheduled = false
    /// Retains itself while acknowledgements are pending.
    var kept: Acknowledger?
  }

  private let state = Mutex(State())
  private let line: Line
  private let stream: String
  private let group: String
  private let consumer: String

  // Confined to the lane.
  private var sending: [Acknowledgement] = []
  private var isUnderWay = false
  private var onEnd: (@Sendable (RedisError) -> Void)?

  /// The reason why no more acknowledgements are sent.
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

  /// Connects; calls `onEnd` on the lane if the server accepts no acknowledgements.
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

  /// The entries that the server has confirmed since the last call.
  func takeConfirmed() -> [StreamID] {
    state.withLock { state in
      defer { state.confirmed = [] }
      return state.confirmed
    }
  }

  /// Unblocks a connection that waits for entries; has no effect otherwise.
  func unblock(_ connection: Int) {
    perform(["CLIENT", "UNBLOCK", String(connection)])
  }

  /// Makes entries immediately available to others, as if they had been idle for this time.
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
    // Only a permanent refusal counts. After a temporary one the line connects again, and the command is sent again.
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

  /// The server will never confirm the pending acknowledgements.
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

  /// This may be the last reference to the object, so it is released outside the lock.
  private func release() {
    let kept = state.withLock { state in
      guard state.waiting.isEmpty else { return nil as Acknowledger? }
      defer { state.kept = nil }
      return state.kept
    }
    withExtendedLifetime(kept) {}
  }
}

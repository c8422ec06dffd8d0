/// A connection that comes back.
///
/// Unchecked because it is confined to its lane: everything but `init` is to be called there.
final class Line: @unchecked Sendable {
  typealias Answer = @Sendable (Result<[RedisReply], RedisError>) -> Void

  let lane: Lane
  private let transport: any RedisTransport
  private let backoff: Backoff

  private var connection: (any RedisConnection)?
  private var failures = 0
  private var isStopped = false

  /// Tells what came before a reconnect from what comes after.
  private var generation = 0

  /// There is a connection, a new one: what was under way has failed.
  var onConnect: (() -> Void)?

  /// There is none, and the next attempt is made after that time.
  var onLoss: ((RedisError, Duration) -> Void)?

  /// There is none, and there will be none.
  var onEnd: ((RedisError) -> Void)?

  init(_ transport: any RedisTransport, _ backoff: Backoff, on lane: Lane) {
    self.transport = transport
    self.backoff = backoff
    self.lane = lane
  }

  var isConnected: Bool { connection != nil }

  func start() {
    if isStopped { return }
    let generation = generation
    transport.connect { [self] result in
      lane.run { self.connected(result, generation) }
    }
  }

  private func connected(_ result: Result<any RedisConnection, RedisError>, _ generation: Int) {
    switch result {
    case .success(let connection) where isStopped || generation != self.generation: connection.close()
    case .success(let connection):
      self.connection = connection
      onConnect?()
    case .failure(let error): if generation == self.generation { lost(error) }
    }
  }

  /// Sends commands, if there is a connection; the answer comes on the lane, unless the line is stopped by then.
  func send(_ commands: [RedisCommand], _ answer: @escaping Answer) {
    guard let connection else { return }
    let generation = generation
    connection.send(commands) { [self] result in
      lane.run { self.answered(result, generation, answer) }
    }
  }

  private func answered(_ result: Result<[RedisReply], RedisError>, _ generation: Int, _ answer: Answer) {
    if generation != self.generation { return }
    switch result {
    case .success(let replies):
      // A server that is still loading its data takes connections, and answers this: as good as none.
      if let refusal = replies.lazy.compactMap(\.refusal).first(where: \.isTemporary) { return lost(refusal.error) }
      failures = 0
      answer(result)
    case .failure(let error): lost(error)
    }
  }

  /// Ends this connection and makes another one.
  func lost(_ error: RedisError) {
    if isStopped { return }
    generation += 1
    let last = connection
    connection = nil
    last?.close()
    failures += 1
    guard case .connection = error, let wait = backoff.wait(after: failures) else {
      let onEnd = onEnd
      stop()
      onEnd?(error)
      return
    }
    onLoss?(error, wait)
    let generation = generation
    lane.runAfter(wait) { [self] in
      if generation == self.generation { start() }
    }
  }

  func stop() {
    isStopped = true
    generation += 1
    connection?.close()
    connection = nil
    (onConnect, onLoss, onEnd) = (nil, nil, nil)
  }
}

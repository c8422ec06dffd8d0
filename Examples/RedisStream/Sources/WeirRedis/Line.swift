/// A connection that reconnects.
///
/// Safety: it is confined to its lane. Only the initializer may be called elsewhere.
final class Line: @unchecked Sendable {
  typealias Answer = @Sendable (Result<[RedisReply], RedisError>) -> Void

  let lane: Lane
  private let transport: any RedisTransport
  private let backoff: Backoff

  private var connection: (any RedisConnection)?
  private var failures = 0
  private var isStopped = false

  /// Distinguishes answers from before and after a reconnect.
  private var generation = 0

  /// Called for each new connection.
  ///
  /// All commands in flight have failed.
  var onConnect: (() -> Void)?

  /// Called when the connection is lost, with the time until the next attempt.
  var onLoss: ((RedisError, Duration) -> Void)?

  /// Called when there will be no connection any more.
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

  /// Sends commands if there is a connection; the answer arrives on the lane, unless the line has been stopped.
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
      // A server that is loading its data accepts connections, but answers with this error. It counts as unavailable.
      if let refusal = replies.lazy.compactMap(\.refusal).first(where: \.isTemporary) { return lost(refusal.error) }
      failures = 0
      answer(result)
    case .failure(let error): lost(error)
    }
  }

  /// Closes this connection and makes another one.
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

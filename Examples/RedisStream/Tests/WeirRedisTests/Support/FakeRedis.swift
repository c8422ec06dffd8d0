import Weir
import WeirRedis
import WeirTesting

/// A server in memory, in virtual time, with the stream commands that the library uses.
///
/// Safety: a test runs on one thread.
final class FakeRedis: RedisTransport, @unchecked Sendable {
  struct Pending {
    var consumer: String
    var since: VirtualTime
  }

  struct Group {
    var last: StreamID
    var read = 0
    var pending: [StreamID: Pending] = [:]
  }

  /// A read that waits for entries.
  private struct Waiter {
    let connection: FakeConnection
    let command: RedisCommand
    let number: Int
    let answer: (RedisReply) -> Void
  }

  let scheduler: VirtualTimeScheduler
  var entries: [(id: StreamID, words: [String])] = []
  var groups: [String: Group] = [:]
  var added = 0

  /// The commands in order, without `XGROUP` and `CLIENT ID`, which start each connection.
  var log: [String] = []

  /// The next command that contains this text is executed, but its answer is lost, and all connections with it.
  var nextAnswerToLose: String?

  /// The next command with this name is refused with this message.
  var nextRefusal: (name: String, message: String)?

  private(set) var isUp = true
  private(set) var attempts = 0
  private var connections: [FakeConnection] = []
  private var waiters: [Waiter] = []
  private var counter = 0

  init(_ scheduler: VirtualTimeScheduler = VirtualTimeScheduler()) {
    self.scheduler = scheduler
  }

  var openConnections: Int { connections.count { !$0.isClosed } }

  /// Adds entries with numbers from 1 and the identifiers `1-0`, `2-0` and so on.
  func add(_ count: Int) {
    for _ in 0..<count { _ = add(["number", String(added + 1)]) }
  }

  private func add(_ words: [String]) -> StreamID {
    added += 1
    let id = StreamID(milliseconds: UInt64(added), number: 0)
    entries.append((id, words))
    for waiter in waiters {
      guard case .array(let found) = read(waiter.command) else { continue }
      finish(waiter.number, .array(found))
    }
    return id
  }

  func pending(_ group: String = "g") -> [Int] {
    (groups[group]?.pending.keys.sorted() ?? []).map { Int($0.milliseconds) }
  }

  /// A consumer of another process takes entries.
  func take(_ count: Int, as consumer: String) {
    if groups["g"] == nil { groups["g"] = Group(last: StreamID(milliseconds: 0, number: 0)) }
    _ = read(["XREADGROUP", "GROUP", "g", consumer, "COUNT", String(count), "STREAMS", "s", ">"])
  }

  // MARK: Connections

  func goDown() {
    isUp = false
    breakConnections()
  }

  func comeBack() {
    isUp = true
  }

  func breakConnections() {
    waiters = []
    let broken = connections
    connections = []
    for connection in broken { connection.breakOff() }
  }

  func connect(_ receive: @escaping @Sendable (Result<any RedisConnection, RedisError>) -> Void) {
    scheduler.schedule { [self] in
      attempts += 1
      guard isUp else { return receive(.failure(.connection("connection refused"))) }
      counter += 1
      let connection = FakeConnection(self, number: counter)
      connections.append(connection)
      receive(.success(connection))
    }
  }

  func closed(_ connection: FakeConnection) {
    waiters.removeAll { $0.connection === connection }
    connections.removeAll { $0 === connection }
  }

  // MARK: Commands

  func run(_ commands: [RedisCommand], for connection: FakeConnection, _ answer: @escaping ([RedisReply]) -> Void) {
    if commands.count == 1, commands[0].contains("BLOCK"), nextRefusal == nil {
      return runBlocking(commands[0], for: connection) { answer([$0]) }
    }
    let replies = commands.map { run($0, for: connection) }
    if let lost = nextAnswerToLose, commands.contains(where: { $0.joined(separator: " ").contains(lost) }) {
      nextAnswerToLose = nil
      return breakConnections()
    }
    answer(replies)
  }

  private func runBlocking(
    _ command: RedisCommand, for connection: FakeConnection, _ answer: @escaping (RedisReply) -> Void
  ) {
    log(command)
    let reply = read(command)
    if reply != .null {
      if let lost = nextAnswerToLose, command.joined(separator: " ").contains(lost) {
        nextAnswerToLose = nil
        return breakConnections()
      }
      return answer(reply)
    }
    counter += 1
    let number = counter
    waiters.append(Waiter(connection: connection, command: command, number: number, answer: answer))
    let wait = Int(value(after: "BLOCK", in: command) ?? "") ?? 0
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(wait))) { [self] in finish(number, .null) }
  }

  private func finish(_ number: Int, _ reply: RedisReply) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    let waiter = waiters.remove(at: index)
    scheduler.schedule { if !waiter.connection.isClosed { waiter.answer(reply) } }
  }

  private func log(_ command: RedisCommand) {
    log.append(command.joined(separator: " "))
  }

  private func run(_ command: RedisCommand, for connection: FakeConnection) -> RedisReply {
    if let refusal = nextRefusal, refusal.name == command[0] {
      nextRefusal = nil
      return .error(refusal.message)
    }
    switch (command[0], command.count > 1 ? command[1] : "") {
    case ("XGROUP", _):
      if groups[command[3]] != nil { return .error("BUSYGROUP Consumer Group name already exists") }
      groups[command[3]] = Group(last: StreamID(milliseconds: 0, number: 0))
      return .text("OK")
    case ("CLIENT", "ID"): return .integer(connection.number)
    default: log(command)
    }
    switch command[0] {
    case "CLIENT":
      guard let waiter = waiters.first(where: { String($0.connection.number) == command[2] }) else {
        return .integer(0)
      }
      finish(waiter.number, .null)
      return .integer(1)
    case "XREADGROUP": return read(command)
    case "XACK":
      for id in command[3...] { groups[command[2]]?.pending[StreamID(id) ?? .init(milliseconds: 0, number: 0)] = nil }
      return .integer(command.count - 3)
    case "XAUTOCLAIM": return claim(command)
    case "XCLAIM":
      let idle = VirtualTime.Stride.milliseconds(Int(value(after: "IDLE", in: command) ?? "") ?? 0)
      for id in command[5...].compactMap(StreamID.init) where groups[command[2]]?.pending[id] != nil {
        groups[command[2]]?.pending[id] = Pending(consumer: command[3], since: scheduler.now.advanced(by: 0 - idle))
      }
      return .array([])
    case "XADD": return .text(add(Array(command[3...])).description)
    case "XLEN": return .integer(entries.count)
    case "XTRIM":
      let first = StreamID(command[4]) ?? StreamID(milliseconds: 0, number: 0)
      entries.removeAll { $0.id < first }
      return .integer(0)
    case "XINFO":
      return .array(
        groups.sorted { $0.key < $1.key }.map { name, group in
          .array([
            .text("name"), .text(name), .text("pending"), .integer(group.pending.count),
            .text("last-delivered-id"), .text(group.last.description),
          ])
        })
    case "XPENDING":
      let ids = groups[command[2]]?.pending.keys.sorted() ?? []
      let ends: [RedisReply] = [ids.first, ids.last].map { $0.map { .text($0.description) } ?? .null }
      return .array([.integer(ids.count)] + ends + [.null])
    case "PING": return .text("PONG")
    default: return .error("ERR unknown command '\(command[0])'")
    }
  }

  private func value(after name: String, in command: RedisCommand) -> String? {
    command.firstIndex(of: name).map { command[$0 + 1] }
  }

  private func read(_ command: RedisCommand) -> RedisReply {
    let (name, consumer, from) = (command[2], command[3], command[command.count - 1])
    guard var group = groups[name] else { return .error("NOGROUP No such key 's' or consumer group 'g'") }
    let count = Int(value(after: "COUNT", in: command) ?? "") ?? .max
    let found: [RedisReply]
    if from == ">" {
      let new = entries.filter { $0.id > group.last }.prefix(count)
      if new.isEmpty { return .null }
      for entry in new { group.pending[entry.id] = Pending(consumer: consumer, since: scheduler.now) }
      group.last = new.last?.id ?? group.last
      group.read += new.count
      found = new.map { reply($0.id) }
    } else {
      let own = group.pending.filter { $0.value.consumer == consumer }.keys.sorted()
      found = own.filter { $0.description != from && $0 > (StreamID(from) ?? $0) }.prefix(count).map(reply)
    }
    groups[name] = group
    return .array([.array([.text(command[command.count - 2]), .array(found)])])
  }

  private func claim(_ command: RedisCommand) -> RedisReply {
    guard var group = groups[command[2]] else { return .error("NOGROUP No such key 's' or consumer group 'g'") }
    let idle = VirtualTime.Stride.milliseconds(Int(command[4]) ?? 0)
    let start = StreamID(command[5]) ?? StreamID(milliseconds: 0, number: 0)
    let count = Int(command[7]) ?? .max
    let found = group.pending
      .filter { $0.key >= start && $0.value.since.advanced(by: idle) <= scheduler.now }.keys.sorted()
    for id in found.prefix(count) {
      group.pending[id] = Pending(consumer: command[3], since: scheduler.now)
    }
    groups[command[2]] = group
    let next = found.count > count ? found[count].description : "0-0"
    return .array([.text(next), .array(found.prefix(count).map(reply)), .array([])])
  }

  private func reply(_ id: StreamID) -> RedisReply {
    let words = entries.first { $0.id == id }?.words
    return .array([.text(id.description), words.map { .array($0.map { .text($0) }) } ?? .null])
  }
}

/// A connection to the server.
///
/// Safety: a test runs on one thread.
final class FakeConnection: RedisConnection, @unchecked Sendable {
  typealias Receive = @Sendable (Result<[RedisReply], RedisError>) -> Void

  let server: FakeRedis
  let number: Int
  private(set) var isClosed = false
  private var underWay: [Int: Receive] = [:]
  private var counter = 0

  init(_ server: FakeRedis, number: Int) {
    self.server = server
    self.number = number
  }

  func send(_ commands: [RedisCommand], _ receive: @escaping Receive) {
    counter += 1
    let number = counter
    underWay[number] = receive
    server.scheduler.schedule { [self] in
      if isClosed { return fail(number) }
      server.run(commands, for: self) { replies in self.underWay.removeValue(forKey: number)?(.success(replies)) }
    }
  }

  func close() {
    if isClosed { return }
    server.closed(self)
    breakOff()
  }

  /// Commands in flight fail soon.
  func breakOff() {
    isClosed = true
    for number in underWay.keys.sorted() { server.scheduler.schedule { self.fail(number) } }
  }

  private func fail(_ number: Int) {
    underWay.removeValue(forKey: number)?(.failure(.connection("it broke")))
  }
}

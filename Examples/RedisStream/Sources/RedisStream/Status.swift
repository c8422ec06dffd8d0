import Foundation
import WeirRedis

/// The state of a stream at a time.
struct Sample: Sendable {
  struct Group {
    let info: GroupInfo
    let consumers: [ConsumerInfo]
  }

  let time: ContinuousClock.Instant
  let length: Int
  let groups: [Group]

  /// Queries the server; `nil` if the stream doesn't exist, and an error if the server refuses.
  init?(_ stream: String, over connection: any RedisConnection) async throws {
    time = .now
    let replies = try await connection.send([["XLEN", stream], ["XINFO", "GROUPS", stream]])
    if case .error(let message) = replies[1], message.hasPrefix("ERR no such key") { return nil }
    try Self.check(replies)
    length = replies[0].integer ?? 0
    let infos = replies[1].elements.compactMap(GroupInfo.init)
    let consumers = try await connection.send(infos.map { ["XINFO", "CONSUMERS", stream, $0.name] } + [["PING"]])
    try Self.check(consumers)
    self.groups = zip(infos, consumers).map { info, reply in
      Group(info: info, consumers: reply.elements.compactMap(ConsumerInfo.init))
    }
  }

  private static func check(_ replies: [RedisReply]) throws {
    for case .error(let message) in replies { throw RedisError.server(message) }
  }

  /// A table of the state, with the rate since another sample.
  func table(_ stream: String, since last: Sample?) -> [String] {
    var lines = ["stream \(stream)", "  length     \(length)"]
    for group in groups {
      lines.append("group \(group.info.name)")
      lines.append("  lag        \(group.info.lag.map(String.init) ?? "unknown to the server")")
      lines.append("  pending    \(group.info.pending)")
      lines.append("  rate       \(speed(of: group.info, since: last) ?? "-")")
      for consumer in group.consumers.sorted(by: { $0.name < $1.name }) {
        let name = consumer.name.padding(toLength: max(20, consumer.name.count), withPad: " ", startingAt: 0)
        lines.append(
          "  consumer   \(name) pending \(consumer.pending), idle \(Int(consumer.idle / .milliseconds(1))) ms")
      }
    }
    return lines
  }

  /// The number of entries that were acknowledged per second.
  private func speed(of group: GroupInfo, since last: Sample?) -> String? {
    guard let last, let before = last.groups.first(where: { $0.info.name == group.name })?.info,
      let read = group.entriesRead, let readBefore = before.entriesRead
    else { return nil }
    return rate(max(0, (read - group.pending) - (readBefore - before.pending)), in: time - last.time)
  }
}

/// Shows the status: once, or on a terminal each second until it is stopped.
func status(_ options: Options, over connection: any RedisConnection) async throws -> Int32 {
  if isatty(STDOUT_FILENO) == 1 { try await watch(options, over: connection) }
  guard let first = try await Sample(options.stream, over: connection) else { return noStream(options) }
  // The rate is measured between two samples.
  try await Task.sleep(for: .milliseconds(500))
  guard let sample = try await Sample(options.stream, over: connection) else { return noStream(options) }
  say(sample.table(options.stream, since: first).joined(separator: "\n"))
  return 0
}

private func noStream(_ options: Options) -> Int32 {
  report("there is no stream \(options.stream) yet: produce or work creates it")
  return 1
}

/// Samples each second, and shows errors too, which may be temporary: it retries on a new connection.
private func watch(_ options: Options, over first: any RedisConnection) async throws -> Never {
  var connection: (any RedisConnection)? = first
  var last: Sample?
  while true {
    let text: String
    do {
      let current =
        if let connection { connection } else { try await HiredisTransport(options.address).connect() }
      connection = current
      let sample = try await Sample(options.stream, over: current)
      text =
        sample?.table(options.stream, since: last).joined(separator: "\n")
        ?? "there is no stream \(options.stream) yet: produce or work creates it"
      last = sample
    } catch RedisError.connection(let reason) {
      text = "not connected (\(reason)); next attempt in a second"
      connection = nil
    } catch {
      text = "\(error)"
      connection = nil
    }
    say("\u{1B}[H\u{1B}[J\(text)")
    try await Task.sleep(for: .seconds(1))
  }
}

extension RedisTransport {
  func connect() async throws -> any RedisConnection {
    try await withCheckedThrowingContinuation { continuation in
      connect { continuation.resume(with: $0) }
    }
  }
}

extension RedisConnection {
  func send(_ commands: [RedisCommand]) async throws -> [RedisReply] {
    try await withCheckedThrowingContinuation { continuation in
      send(commands) { continuation.resume(with: $0) }
    }
  }
}

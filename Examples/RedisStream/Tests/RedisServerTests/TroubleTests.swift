import Foundation
import Testing
import WeirRedis

/// The program's messages and actions for errors.
@Suite(
  .serialized,
  .enabled(if: Server.isInstalled || Server.isCI, "redis-server isn't installed: apt-get install redis-server"))
struct TroubleTests {
  @Test(.timeLimit(.minutes(1))) func aWrongPasswordIsARefusal() async throws {
    let server = try await Server()
    _ = try await server.send("CONFIG", "SET", "requirepass", "secret")
    let program = try Program(["status", "--url", "redis://:wrong@\(server.address)"], in: server.directory)
    #expect(try await program.end() == 1)
    #expect(
      program.complained == """
        RedisStream: the server says: WRONGPASS invalid username-password pair or user is disabled.
        RedisStream: set the user, the password and the database with --url: redis://user:password@127.0.0.1:6379/0

        """)
  }

  @Test(.timeLimit(.minutes(1))) func statusTellsNoStreamFromARefusal() async throws {
    let server = try await Server()
    func complaint() async throws -> String {
      let status = try Program("status", on: server)
      #expect(try await status.end() == 1)
      #expect(status.said == "")
      return status.complained
    }
    #expect(try await complaint() == "RedisStream: there is no stream orders yet: produce or work creates it\n")

    _ = try await server.send("SET", "orders", "text")
    #expect(
      try await complaint() == """
        RedisStream: the server says: WRONGTYPE Operation against a key holding the wrong kind of value
        RedisStream: check the user in --url, and the name in --stream

        """)

    _ = try await server.send("DEL", "orders")
    _ = try await server.send("ACL", "SETUSER", "default", "-xinfo")
    #expect(try await complaint().hasPrefix("RedisStream: the server says: NOPERM "))
  }

  @Test(.timeLimit(.minutes(1))) func statusOnATerminalOutlivesTheServer() async throws {
    let server = try await Server(keepsData: true)
    _ = try await server.send("XADD", "orders", "*", "number", "1")
    let terminal = try Terminal()
    let status = try Program(["status", "--port", String(server.address.port)], in: server.directory, on: terminal)
    let stream = "stream orders\n  length     1\n"
    try await wait(for: "the stream") { terminal.text() == stream }
    server.kill()
    try await wait(for: "a word") {
      let text = terminal.text()
      return text.hasPrefix("not connected (") && text.hasSuffix("); next attempt in a second\n")
    }
    try await server.start()
    try await wait(for: "the stream") { terminal.text() == stream }
    #expect(status.isRunning)
    #expect(status.complained == "")
  }

  @Test(.timeLimit(.minutes(1)), arguments: [[], ["--count", "1"]])
  func aRefusedAcknowledgementIsNoSuccess(options: [String]) async throws {
    let server = try await Server()
    _ = try await server.send("XADD", "orders", "*", "number", "1")
    _ = try await server.send("ACL", "SETUSER", "default", "-xack")
    let worker = try Program(
      ["work", "--consumer", "w", "--port", String(server.address.port)] + options, in: server.directory)
    #expect(try await worker.end() == 1)
    #expect(worker.said == "")
    let lines = worker.complained.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix("RedisStream: w: the server says: NOPERM ") == true)
    #expect(try await server.group()?.pending == 1)
  }

  @Test(
    .timeLimit(.minutes(1)),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a disk that is always full"))
  func whatIsNotInTheJournalIsNotAcknowledged() async throws {
    let server = try await Server()
    let id = try await server.send("XADD", "orders", "*", "number", "1").text ?? ""
    let worker = try Program("work", "--consumer", "w", "--count", "1", "--journal", "/dev/full", on: server)
    #expect(try await worker.end() == 74)
    #expect(worker.said == "")
    #expect(
      worker.complained == """
        RedisStream: w: connected
        RedisStream: can't write /dev/full: No space left on device
        RedisStream: \(id) is not acknowledged: free some space, and another worker claims it

        """)
    #expect(try await server.group()?.pending == 1)
  }

  @Test(.timeLimit(.minutes(1))) func theSecondSignalLeavesWhenTheServerIsAway() async throws {
    let server = try await Server()
    _ = try await server.send("XADD", "orders", "*", "number", "1")
    // A full pipe as journal blocks until it is read, so the work can't be completed before the server stops.
    let path = server.directory.appending(path: "journal").path
    #expect(mkfifo(path, 0o600) == 0)
    let journal = open(path, O_RDWR | O_NONBLOCK)
    defer { close(journal) }
    let block = [UInt8](repeating: 0, count: 512)
    while write(journal, block, block.count) > 0 {}

    let worker = try Program("work", "--consumer", "w", "--journal", path, on: server)
    try await wait(for: "the worker") { try await server.group()?.pending == 1 }
    server.kill()
    var line = ""
    try await wait(for: "the work") {
      line += readAll(journal)
      return line.hasSuffix("number=1\n")
    }
    worker.terminate()
    let word =
      "RedisStream: w: waits until the server has the acknowledgements (1); a second Ctrl-C stops immediately\n"
    try await wait(for: "a word") { worker.complained.hasSuffix(word) }
    #expect(worker.isRunning)
    worker.terminate()
    #expect(try await worker.end() == 0)
    #expect(
      worker.complained.hasSuffix(
        word + "RedisStream: w: stopped; other workers repeat the entries without an acknowledgement (1)\n"))
    #expect(worker.said == "")
  }
}

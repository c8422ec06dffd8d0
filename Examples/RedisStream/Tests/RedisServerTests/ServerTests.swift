import Foundation
import Testing
import WeirRedis

/// Tests that need a real server and real processes.
@Suite(
  .serialized,
  .enabled(if: Server.isInstalled || Server.isCI, "redis-server isn't installed: apt-get install redis-server"))
struct ServerTests {
  @Test(.timeLimit(.minutes(2))) func workersAreKilledAndNothingIsLost() async throws {
    let server = try await Server()
    let journals = Journals(directory: server.directory)
    let (count, kills) = (100_000, 20)
    var random = Seeded(state: 42)
    var started = 0
    func worker() throws -> Program {
      started += 1
      let name = "worker-\(started)"
      return try Program(
        "work", "--consumer", name, "--claim-after", "500", "--journal", journals.path(name), on: server)
    }

    let begin = ContinuousClock.now
    var workers = try (0..<4).map { _ in try worker() }
    let producer = try Program("produce", "--count", String(count), "--bound", "20000", on: server)
    // Each is killed in a separate part of the work, so that all are busy then.
    for number in 0..<kills {
      let moment = count * 9 / 10 * number / kills + Int.random(in: 1...4000, using: &random)
      try await wait(for: "entry \(moment)") { try await (server.group()?.entriesRead ?? 0) >= moment }
      let index = Int.random(in: 0..<workers.count, using: &random)
      #expect(workers[index].isRunning)
      workers[index].kill()
      workers[index] = try worker()
    }
    #expect(try await producer.end() == 0)
    try await wait(for: "the end of the work") { try await server.isWorkedOff() }
    let time = ContinuousClock.now - begin
    for worker in workers { worker.terminate() }
    for worker in workers { #expect(try await worker.end() == 0) }

    let numbers = try journals.numbers()
    #expect(Set(numbers).count == count)
    #expect(Set(numbers) == Set(1...count))
    print(
      "\(count) entries, 4 workers, \(kills) kills: \(Set(numbers).count) done, "
        + "\(numbers.count - Set(numbers).count) of them more than once, in \(Int(time / .milliseconds(1))) ms")
  }

  @Test(.timeLimit(.minutes(2))) func theServerGoesAwayAndComesBack() async throws {
    let server = try await Server(keepsData: true)
    let journals = Journals(directory: server.directory)
    let count = 30_000
    let workers = try (1...2).map { number in
      try Program(
        "work", "--consumer", "w\(number)", "--claim-after", "2000", "--journal", journals.path("w\(number)"),
        on: server)
    }
    let producer = try Program("produce", "--count", String(count), "--bound", "2000", on: server)

    for (outage, moment) in [5_000, 15_000].enumerated() {
      try await wait(for: "entry \(moment)") { try await server.added() >= moment }
      if outage == 0 { server.kill() } else { await server.shutDown() }
      for program in workers {
        try await wait(for: "a message") {
          program.complained.components(separatedBy: ": connected").count == outage + 2
            && program.complained.hasSuffix("nothing is lost if the server keeps its data\n")
        }
      }
      #expect(producer.isRunning, "\(producer.complained)")
      try await server.start()
    }
    #expect(try await producer.end() == 0, "\(producer.complained)")
    try await wait(for: "the end of the work") { try await server.isWorkedOff() }
    for worker in workers { worker.terminate() }
    for worker in workers { #expect(try await worker.end() == 0) }

    let numbers = try journals.numbers()
    #expect(Set(numbers) == Set(1...count))
    print("\(count) entries, 2 outages of the server: \(numbers.count - Set(numbers).count) done more than once")
  }

  @Test(.timeLimit(.minutes(1))) func theProducerWaitsForTheWorkers() async throws {
    let server = try await Server()
    let producer = try Program("produce", "--count", "1000", "--bound", "100", on: server)
    try await wait(for: "a full stream") { try await server.send("XLEN", "orders").integer == 100 }
    let worker = try Program("work", "--consumer", "w", "--count", "1000", "--hold", "10", on: server)
    try await wait(for: "the producer") {
      let length = try await server.send("XLEN", "orders").integer ?? 0
      #expect(length <= 100)
      return !producer.isRunning
    }
    #expect(try await producer.end() == 0)
    #expect(producer.said.hasPrefix("wrote 1000 entries in "))
    #expect(try await worker.end() == 0)
    #expect(worker.said.hasPrefix("w: 1000 entries, "))
    #expect(try await server.isWorkedOff())
  }

  @Test(.timeLimit(.minutes(1))) func aWorkerHoldsNoMoreThanItMay() async throws {
    let server = try await Server()
    #expect(try await Program("produce", "--count", "100", on: server).end() == 0)
    let worker = try Program("work", "--consumer", "w", "--hold", "3", "--slow", "3600000", on: server)
    try await wait(for: "the worker") { try await server.group()?.pending == 3 }
    let status = try Program("status", on: server)
    #expect(try await status.end() == 0)
    #expect(try await server.group()?.pending == 3)
    let lines = status.said.split(separator: "\n").map { $0.prefix(30).trimmingCharacters(in: .whitespaces) }
    #expect(
      lines.prefix(6) == [
        "stream orders", "length     100", "group workers", "lag        97", "pending    3", "rate       0/s",
      ])
    worker.terminate()
    #expect(try await worker.end() == 0)
  }

  @Test(.timeLimit(.minutes(1))) func aWorkerThatWaitsStopsAtOnce() async throws {
    let server = try await Server()
    let worker = try Program("work", "--consumer", "w", on: server)
    try await wait(for: "the worker") { try await server.send("CLIENT", "LIST").text?.contains("xreadgroup") == true }
    worker.terminate()
    #expect(try await worker.end(seconds: 10) == 0)
  }
}

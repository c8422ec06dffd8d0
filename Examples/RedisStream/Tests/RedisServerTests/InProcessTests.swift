import Foundation
import Synchronization
import Testing
import Weir
import WeirRedis

/// Tests of the library with a real server, in this process.
@Suite(
  .serialized,
  .enabled(if: Server.isInstalled || Server.isCI, "redis-server isn't installed: apt-get install redis-server"))
struct InProcessTests {
  func source(_ server: Server, _ consumer: String) -> RedisStreamPublisher {
    RedisStreamPublisher(
      group: "workers", consumer: consumer, stream: "orders", from: HiredisTransport(server.address),
      options: .init(claimAfter: .seconds(60), block: .seconds(60)))
  }

  func isWaiting(_ server: Server) async throws -> Bool {
    try await server.send("CLIENT", "LIST").text?.contains("cmd=xreadgroup") == true
  }

  @Test(.timeLimit(.minutes(1))) func aCancelEndsTheWaitAtOnce() async throws {
    let server = try await Server()
    let subscription = source(server, "a").sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    try await wait(for: "the read") { try await isWaiting(server) }
    subscription.cancel()
    try await wait(for: "the end of both connections", seconds: 10) {
      try await server.send("CLIENT", "LIST").text?.split(separator: "\n").count == 1
    }
  }

  @Test(.timeLimit(.minutes(1))) func whatWasNotDeliveredGoesToAnotherOne() async throws {
    let server = try await Server()
    for number in 1...5 { _ = try await server.send("XADD", "orders", "*", "number", String(number)) }
    let numbers = Mutex<[String]>([])
    let first = source(server, "a").prefix(2).sink(receiveCompletion: { _ in }) { entry in
      numbers.withLock { $0.append(entry.fields["number"] ?? "") }
    }
    try await wait(for: "two entries") { numbers.withLock { $0.count == 2 } }
    // The third to the fifth entry were taken with them.
    try await wait(for: "the first one's end", seconds: 10) {
      try await server.send("XPENDING", "orders", "workers", "IDLE", "60000", "-", "+", "10").elements.count == 3
    }
    let second = source(server, "b").sink(receiveCompletion: { _ in }) { entry in
      numbers.withLock { $0.append(entry.fields["number"] ?? "") }
      entry.acknowledge()
    }
    try await wait(for: "the others", seconds: 10) { try await server.group()?.pending == 2 }
    #expect(numbers.withLock { $0 } == ["1", "2", "3", "4", "5"])
    first.cancel()
    second.cancel()
  }

  @Test(.timeLimit(.minutes(1))) func fieldsComeAsTheyWereWritten() async throws {
    let server = try await Server()
    let fields: StreamFields = ["name": "Zoë\r\n$3\r\n", "nothing": "", "BLOCK": "0"]
    let isWritten = Atomic<Bool>(false)
    let writer = RedisStreamSubscriber<Never>(stream: "orders", to: HiredisTransport(server.address), bound: 10) { _ in
      isWritten.store(true, ordering: .relaxed)
    }
    Just(fields).subscribe(writer)
    try await wait(for: "the entry") { isWritten.load(ordering: .relaxed) }

    let read = Mutex<StreamFields?>(nil)
    let subscription = source(server, "a").sink(receiveCompletion: { _ in }) { entry in
      read.withLock { $0 = entry.fields }
    }
    try await wait(for: "the entry") { read.withLock { $0 != nil } }
    #expect(read.withLock { $0 } == fields)
    subscription.cancel()
  }

  @Test(.timeLimit(.minutes(1))) func aKeyOfAnotherKindIsAFailure() async throws {
    let server = try await Server()
    _ = try await server.send("SET", "orders", "text")
    let failure = Mutex<RedisError?>(nil)
    let subscription = source(server, "a").sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { failure.withLock { $0 = error } }
      }, receiveValue: { _ in })
    try await wait(for: "the failure") { failure.withLock { $0 != nil } }
    #expect(
      failure.withLock { $0 }
        == .server("WRONGTYPE Operation against a key holding the wrong kind of value"))
    subscription.cancel()
  }
}

import Testing
import Weir
import WeirRedis
import WeirTesting

struct ReconnectTests {
  let server = FakeRedis()

  func settle() { server.scheduler.advance() }

  @Test func whatWasReadAndNotDeliveredIsReadAgain() throws {
    server.add(3)
    server.nextAnswerToLose = "STREAMS s >"
    let worker = Worker(server, demanding: .unlimited)
    settle()
    #expect(server.pending() == [1, 2, 3])
    #expect(worker.numbers == [])
    server.scheduler.advance(by: .milliseconds(50))
    #expect(worker.numbers == [1, 2, 3])
    #expect(worker.statuses.lines.map { $0.prefix(9) } == ["connected", "not conne", "connected"])
    #expect(server.log.filter { $0.contains("STREAMS s 0-0") }.count == 2)
    try worker.subscriber.checkContract()
  }

  @Test func whatIsInHandDoesNotComeTwice() {
    server.add(2)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    server.breakConnections()
    server.scheduler.advance(by: .seconds(1))
    server.add(1)
    settle()
    #expect(worker.numbers == [1, 2, 3])
    #expect(server.log.contains("XREADGROUP GROUP g a COUNT 100 STREAMS s 2-0"))
  }

  @Test func acknowledgementsAreKeptUntilThereIsAConnection() {
    server.add(3)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    server.goDown()
    settle()
    worker.acknowledge(1, 2)
    server.scheduler.advance(by: .seconds(5))
    #expect(server.pending() == [1, 2, 3])
    server.comeBack()
    server.scheduler.advance(by: .seconds(2))
    #expect(server.pending() == [3])
    #expect(worker.numbers == [1, 2, 3])
  }

  @Test func anAcknowledgementWhoseAnswerIsLostIsSentAgain() {
    server.add(1)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    server.nextAnswerToLose = "XACK"
    worker.acknowledge(1)
    server.scheduler.advance(by: .seconds(1))
    #expect(server.log.count { $0 == "XACK s g 1-0" } == 2)
    #expect(worker.numbers == [1])
  }

  @Test(arguments: [
    "LOADING Redis is loading the dataset in memory", "MISCONF Redis is configured to save RDB snapshots",
  ])
  func anAcknowledgementThatIsRefusedForNowIsSentAgain(refusal: String) {
    server.add(1)
    let worker = Worker(server, demanding: .max(1))
    settle()
    server.nextRefusal = ("XACK", refusal)
    let heard = Statuses()
    worker.subscriber.values[0].acknowledge { heard.note($0) }
    settle()
    #expect(heard.lines == [])
    #expect(server.pending() == [1])
    server.scheduler.advance(by: .milliseconds(50))
    #expect(heard.lines == ["confirmed"])
    #expect(server.pending() == [])
    #expect(worker.subscriber.completion == nil)
  }

  @Test func anAcknowledgementThatIsRefusedForGoodEndsTheSubscription() throws {
    server.add(2)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    server.nextRefusal = ("XACK", "NOPERM this user has no permissions")
    let heard = Statuses()
    worker.subscriber.values[0].acknowledge { heard.note($0) }
    settle()
    #expect(heard.lines == ["the server says: NOPERM this user has no permissions"])
    #expect(worker.subscriber.failure == .server("NOPERM this user has no permissions"))
    #expect(server.pending() == [1, 2])
    #expect(server.openConnections == 0)

    // A later call receives the same result.
    worker.subscriber.values[1].acknowledge { heard.note($0) }
    settle()
    #expect(heard.lines.count == 2)
    #expect(Set(heard.lines).count == 1)
    try worker.subscriber.checkContract()
  }

  @Test func afterACancelARefusalIsStillTold() {
    server.add(1)
    let worker = Worker(server, demanding: .max(1))
    settle()
    worker.subscriber.cancel()
    settle()
    server.nextRefusal = ("XACK", "NOPERM this user has no permissions")
    let heard = Statuses()
    worker.subscriber.values[0].acknowledge { heard.note($0) }
    settle()
    #expect(heard.lines == ["the server says: NOPERM this user has no permissions"])
    #expect(worker.subscriber.completion == nil)
  }

  @Test func theWaitsDoubleAndAreTold() {
    server.goDown()
    let worker = Worker(server, demanding: .unlimited)
    server.scheduler.advance(by: .seconds(5))
    #expect(
      worker.statuses.lines
        == [50, 100, 200, 400, 800, 1600, 2000].map {
          "not connected (connection refused); next attempt in \($0) ms; nothing is lost if the server keeps its data"
        })
    server.comeBack()
    server.add(1)
    server.scheduler.advance(by: .seconds(2))
    #expect(worker.statuses.lines.last == "connected")
    #expect(worker.numbers == [1])
  }

  @Test func jitterTakesUpToHalfOfTheWait() {
    let short = Backoff(first: .milliseconds(100), jitter: { 0 })
    #expect([1, 2, 3].map { short.wait(after: $0) } == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
  }

  @Test func attemptsThatAreLimitedEndInAFailure() {
    server.goDown()
    let worker = Worker(server, demanding: .unlimited, attempts: 3)
    server.scheduler.advance(by: .seconds(10))
    #expect(worker.subscriber.failure == .connection("connection refused"))
    #expect(worker.statuses.lines.count == 2)
    #expect(server.scheduler.pendingCount == 0)
  }

  @Test func aServerThatIsStillLoadingIsAsGoodAsNone() {
    server.add(1)
    server.nextRefusal = ("XREADGROUP", "LOADING Redis is loading the dataset in memory")
    let worker = Worker(server, demanding: .unlimited)
    settle()
    #expect(worker.numbers == [])
    server.scheduler.advance(by: .seconds(1))
    #expect(worker.numbers == [1])
    #expect(worker.subscriber.completion == nil)
  }

  @Test func aGroupThatIsGoneIsMadeAgain() {
    let worker = Worker(server, demanding: .unlimited)
    settle()
    server.groups = [:]
    server.scheduler.advance(by: .seconds(2))
    server.add(1)
    settle()
    #expect(worker.numbers == [1])
  }

  @Test func whatTheServerRefusesIsAFailure() throws {
    server.nextRefusal = ("XREADGROUP", "WRONGTYPE Operation against a key")
    let worker = Worker(server, demanding: .unlimited)
    settle()
    #expect(worker.subscriber.failure == .server("WRONGTYPE Operation against a key"))
    try worker.subscriber.checkContract()
  }
}

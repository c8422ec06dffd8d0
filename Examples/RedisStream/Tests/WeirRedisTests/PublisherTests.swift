import Testing
import Weir
import WeirRedis
import WeirTesting

struct PublisherTests {
  let server = FakeRedis()

  func settle() { server.scheduler.advance() }

  @Test func demandIsTheCount() throws {
    server.add(5)
    let worker = Worker(server, demanding: .max(2))
    settle()
    #expect(worker.numbers == [1, 2])
    #expect(server.pending() == [1, 2])
    #expect(server.log.last == "XREADGROUP GROUP g a COUNT 2 BLOCK 2000 STREAMS s >")

    worker.subscriber.request(.max(1))
    settle()
    #expect(worker.numbers == [1, 2, 3])
    #expect(server.log.last == "XREADGROUP GROUP g a COUNT 1 BLOCK 2000 STREAMS s >")
    #expect(worker.subscriber.values.last?.fields["number"] == "3")
    try worker.subscriber.checkContract()
  }

  @Test func withoutDemandNothingIsTaken() {
    server.add(1)
    let worker = Worker(server, claimAfter: .seconds(1))
    server.scheduler.advance(by: .seconds(100))
    #expect(server.log == [])
    #expect(server.groups.keys.sorted() == ["g"])
    #expect(worker.statuses.lines == ["connected"])
  }

  @Test func unlimitedDemandIsTakenInBatches() {
    server.add(7)
    let worker = Worker(server, demanding: .unlimited, batch: 3)
    settle()
    #expect(worker.numbers == Array(1...7))
    #expect(
      server.log.dropFirst() == [
        "XREADGROUP GROUP g a COUNT 3 BLOCK 2000 STREAMS s >", "XREADGROUP GROUP g a COUNT 3 BLOCK 2000 STREAMS s >",
        "XREADGROUP GROUP g a COUNT 3 BLOCK 2000 STREAMS s >", "XREADGROUP GROUP g a COUNT 3 BLOCK 2000 STREAMS s >",
      ])
  }

  @Test func whoWaitsHearsOfNewEntriesAtOnce() {
    let worker = Worker(server, demanding: .max(10))
    server.scheduler.advance(by: .seconds(5))
    #expect(worker.numbers == [])
    server.add(1)
    settle()
    #expect(worker.numbers == [1])
  }

  @Test func returnedDemandCounts() {
    server.add(4)
    let worker = Worker(server, demanding: .max(1), returning: .max(1))
    settle()
    #expect(worker.numbers == [1, 2, 3, 4])
    #expect(server.log.count { $0.contains("COUNT 1") } == 6)
  }

  @Test func requestsFromInsideADeliveryAreAnswered() {
    server.add(3)
    let worker = Worker(server, demanding: .max(1)) { subscriber, event in
      if case .value = event { subscriber.request(.max(1)) }
    }
    settle()
    #expect(worker.numbers == [1, 2, 3])
  }

  @Test func acknowledgementsGoOutTogether() {
    server.add(3)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    worker.acknowledge(1, 3)
    settle()
    #expect(server.pending() == [2])
    #expect(server.log.last == "XACK s g 1-0 3-0")
  }

  @Test func anAcknowledgementIsConfirmed() {
    server.add(1)
    let worker = Worker(server, demanding: .unlimited)
    settle()
    let heard = Statuses()
    worker.subscriber.values[0].acknowledge { heard.note($0) }
    #expect(heard.lines == [])
    settle()
    #expect(heard.lines == ["confirmed"])
  }

  @Test func workersShareAStream() {
    server.add(4)
    let first = Worker(server, as: "a", demanding: .max(1))
    let second = Worker(server, as: "b", demanding: .max(2))
    settle()
    #expect((first.numbers + second.numbers).sorted() == [1, 2, 3])
    #expect(first.numbers.count == 1)
  }

  // MARK: Abandoned entries

  @Test func whatIsLeftAloneIsClaimedBeforeWhatIsNew() {
    server.add(4)
    server.take(2, as: "dead")
    server.scheduler.advance(by: .seconds(10))
    let worker = Worker(server, demanding: .max(3), claimAfter: .seconds(10))
    settle()
    #expect(worker.numbers == [1, 2, 3])
    #expect(server.log.filter { $0.hasPrefix("XAUTO") } == ["XAUTOCLAIM s g a 10000 0-0 COUNT 3"])
  }

  @Test func whatIsLeftAloneIsClaimedOnlyOnDemandAndInTime() {
    server.add(3)
    server.take(3, as: "slow")
    let worker = Worker(server, demanding: .max(2), claimAfter: .seconds(10))
    server.scheduler.advance(by: .milliseconds(9_999))
    #expect(worker.numbers == [])
    server.scheduler.advance(by: .seconds(7))
    #expect(worker.numbers == [1, 2])
    server.scheduler.advance(by: .seconds(100))
    #expect(worker.numbers == [1, 2])
    worker.subscriber.request(.max(1))
    settle()
    #expect(worker.numbers == [1, 2, 3])
  }

  @Test func whatItHoldsItselfDoesNotComeTwice() {
    server.add(2)
    let worker = Worker(server, demanding: .unlimited, claimAfter: .seconds(1))
    server.scheduler.advance(by: .seconds(10))
    #expect(worker.numbers == [1, 2])
    #expect(server.log.contains("XAUTOCLAIM s g a 1000 0-0 COUNT 100"))
  }

  @Test func whatAConsumerOfThisNameWasGivenBeforeComesFirst() {
    server.add(3)
    server.take(2, as: "a")
    let worker = Worker(server, demanding: .max(1), returning: .max(1))
    settle()
    #expect(worker.numbers == [1, 2, 3])
    #expect(
      server.log.prefix(3) == [
        "XREADGROUP GROUP g a COUNT 1 STREAMS s 0-0", "XREADGROUP GROUP g a COUNT 1 STREAMS s 1-0",
        "XREADGROUP GROUP g a COUNT 1 STREAMS s 2-0",
      ])
  }

  @Test func anEntryThatWasDeletedIsAcknowledgedUnseen() {
    server.add(2)
    server.take(1, as: "a")
    server.entries.removeFirst()
    let worker = Worker(server, demanding: .unlimited)
    settle()
    #expect(worker.numbers == [2])
    #expect(server.pending() == [2])
  }

  // MARK: Cancellation

  @Test func aCancelWakesUpTheConnectionThatWaits() {
    let worker = Worker(server, demanding: .max(1))
    settle()
    #expect(server.openConnections == 2)
    worker.subscriber.cancel()
    settle()
    #expect(server.log.last?.hasPrefix("CLIENT UNBLOCK") == true)
    server.add(1)
    settle()
    #expect(server.pending() == [])
    #expect(worker.numbers == [])
  }

  @Test func aCancelGivesBackWhatWasNotDelivered() {
    server.add(5)
    let first = Worker(server, as: "a", demanding: .unlimited, claimAfter: .seconds(30)) { subscriber, event in
      if case .value(let entry) = event, entry.id.milliseconds == 2 { subscriber.cancel() }
    }
    settle()
    #expect(first.numbers == [1, 2])
    #expect(server.log.last == "XCLAIM s g a 0 3-0 4-0 5-0 IDLE 30001 JUSTID")

    let second = Worker(server, as: "b", demanding: .unlimited, claimAfter: .seconds(30))
    settle()
    #expect(second.numbers == [3, 4, 5])
    first.acknowledge(1, 2)
    settle()
    #expect(server.pending() == [3, 4, 5])
  }

  @Test func afterACancelNothingIsLeft() {
    server.add(1)
    weak var released: TestSubscriber<RedisStreamEntry, RedisError>?
    do {
      let worker = Worker(server, demanding: .unlimited, claimAfter: .seconds(1))
      settle()
      worker.acknowledge(1)
      worker.subscriber.cancel()
      settle()
      released = worker.subscriber
    }
    settle()
    #expect(released == nil)
    #expect(server.openConnections == 0)
  }

  @Test func aCancelBeforeThereIsAConnectionEndsTheAttempts() {
    server.goDown()
    let worker = Worker(server, demanding: .unlimited)
    server.scheduler.advance(by: .milliseconds(60))
    worker.subscriber.cancel()
    settle()
    server.comeBack()
    server.scheduler.advance(by: .seconds(10))
    #expect(!server.log.contains { $0.hasPrefix("XREADGROUP") })
  }

  // MARK: The contract

  @Test func keepsTheContract() throws {
    // A group gives each entry to one subscriber, so a second one receives only the rest.
    try PublisherVerification(.servesOne) { (scheduler: VirtualTimeScheduler) in
      let server = FakeRedis(scheduler)
      server.add(3)
      return RedisStreamPublisher(
        group: "g", consumer: "a", stream: "s", from: server,
        options: .init(claimAfter: nil, backoff: Backoff(jitter: { 1 })), on: scheduler
      )
      .prefix(3)
      .map { (entry: RedisStreamEntry) -> Int in Int(entry.id.milliseconds) }
    }.run(length: 4).check()
  }
}

import Synchronization
import Testing
import Weir
import WeirTesting

@testable import WeirRedis

struct Broken: Error {}

struct SubscriberTests {
  let server = FakeRedis()
  let upstream = TestPublisher<StreamFields, Broken>()
  let ends = Statuses()

  func settle() { server.scheduler.advance() }

  func write(bound: Int, batch: Int = 4) -> RedisStreamSubscriber<Broken> {
    let ends = ends
    let subscriber = RedisStreamSubscriber<Broken>(
      stream: "s", to: server, bound: bound, batch: batch, poll: .milliseconds(10),
      backoff: Backoff(jitter: { 1 }), on: server.scheduler
    ) { end in
      let error: RedisError =
        switch end {
        case .finished: .connection("finished")
        case .failed: .connection("failed")
        case .refused(let error): error
        }
      ends.note(.disconnected(error, retryAfter: .zero))
    }
    upstream.subscribe(subscriber)
    settle()
    return subscriber
  }

  func send(_ numbers: ClosedRange<Int>) {
    for number in numbers { upstream.send(["number": String(number)]) }
    settle()
  }

  var asked: [Subscribers.Demand] { upstream.subscriptions[0].requests }
  var written: [String] { server.entries.map { $0.words[1] } }

  /// Reads and acknowledges the next entries as the group.
  func workOff(_ count: Int, group: String = "g") {
    if server.groups[group] == nil { server.groups[group] = .init(last: StreamID(milliseconds: 0, number: 0)) }
    for entry in server.entries.filter({ $0.id > (server.groups[group]?.last ?? $0.id) }).prefix(count) {
      server.groups[group]?.last = entry.id
    }
  }

  @Test func asksForABatchAndThenWhenHalfOfItHasCome() {
    let subscriber = write(bound: 100)
    #expect(asked == [.max(4)])
    send(1...1)
    #expect(asked == [.max(4)])
    send(2...2)
    #expect(asked == [.max(4), .max(2)])
    #expect(written == ["1", "2"])
    withExtendedLifetime(subscriber) {}
  }

  @Test func asksForNoMoreThanThereIsRoomFor() {
    let subscriber = write(bound: 6)
    send(1...4)
    #expect(asked == [.max(4), .max(2)])
    send(5...6)
    server.scheduler.advance(by: .seconds(1))
    #expect(asked == [.max(4), .max(2)])
    #expect(written == ["1", "2", "3", "4", "5", "6"])

    workOff(3)
    server.scheduler.advance(by: .milliseconds(10))
    #expect(asked == [.max(4), .max(2), .max(3)])
    #expect(written == ["4", "5", "6"])
    withExtendedLifetime(subscriber) {}
  }

  @Test func nothingIsRemovedThatAGroupNeeds() {
    let subscriber = write(bound: 4)
    send(1...4)
    workOff(4, group: "quick")
    server.groups["slow"] = .init(last: StreamID(milliseconds: 3, number: 0))
    server.groups["slow"]?.pending[StreamID(milliseconds: 2, number: 0)] = .init(consumer: "c", since: .zero)
    server.scheduler.advance(by: .milliseconds(10))
    #expect(written == ["2", "3", "4"])

    server.groups["slow"]?.pending = [:]
    send(5...5)
    #expect(written == ["4", "5"])
    withExtendedLifetime(subscriber) {}
  }

  @Test func aStreamWithoutGroupsKeepsAll() {
    let subscriber = write(bound: 2)
    send(1...2)
    server.scheduler.advance(by: .seconds(1))
    #expect(written == ["1", "2"])
    #expect(asked == [.max(2)])
    withExtendedLifetime(subscriber) {}
  }

  @Test func theFirstEntryThatIsNeeded() throws {
    func group(_ name: String, last: String) throws -> GroupInfo {
      try #require(GroupInfo(.array([.text("name"), .text(name), .text("last-delivered-id"), .text(last)])))
    }
    let groups = [try group("a", last: "7-1"), try group("b", last: "9-0")]
    let none = RedisReply.array([.integer(0), .null, .null, .null])
    let some = RedisReply.array([.integer(2), .text("5-3"), .text("8-0"), .array([])])
    #expect(Writer<Never>.firstNeeded(groups, pending: [none, none]) == StreamID("7-2"))
    #expect(Writer<Never>.firstNeeded(groups, pending: [none, some]) == StreamID("5-3"))
    #expect(Writer<Never>.firstNeeded([], pending: []) == nil)
  }

  @Test func theEndIsToldWhenEverythingIsWritten() {
    let subscriber = write(bound: 10)
    upstream.send(["number": "1"])
    upstream.send(completion: .finished)
    #expect(ends.lines == [])
    settle()
    #expect(written == ["1"])
    #expect(ends.lines.map { $0.contains("finished") } == [true])
    #expect(server.openConnections == 0)
    withExtendedLifetime(subscriber) {}
  }

  @Test func theUpstreamsFailureIsTold() {
    let subscriber = write(bound: 10)
    upstream.send(["number": "1"])
    upstream.send(completion: .failure(Broken()))
    settle()
    #expect(written == ["1"])
    #expect(ends.lines.map { $0.contains("failed") } == [true])
    withExtendedLifetime(subscriber) {}
  }

  @Test func aRefusalCancelsTheUpstream() {
    let subscriber = write(bound: 10)
    server.nextRefusal = ("XADD", "OOM command not allowed")
    send(1...1)
    #expect(upstream.subscriptions[0].isCancelled)
    #expect(ends.lines.map { $0.contains("OOM command not allowed") } == [true])
    withExtendedLifetime(subscriber) {}
  }

  @Test func valuesWaitForTheServerToComeBack() {
    let subscriber = write(bound: 100)
    server.goDown()
    send(1...4)
    server.scheduler.advance(by: .seconds(5))
    #expect(written == [])
    #expect(asked == [.max(4)])
    server.comeBack()
    server.scheduler.advance(by: .seconds(2))
    #expect(written == ["1", "2", "3", "4"])
    #expect(asked == [.max(4), .max(4)])
    withExtendedLifetime(subscriber) {}
  }

  @Test func whatIsNotConfirmedIsWrittenAgain() {
    let subscriber = write(bound: 100)
    server.nextAnswerToLose = "XADD"
    send(1...2)
    server.scheduler.advance(by: .seconds(1))
    #expect(written == ["1", "2", "1", "2"])
    withExtendedLifetime(subscriber) {}
  }

  @Test func afterACancelWhatCameIsStillWritten() {
    let subscriber = write(bound: 100)
    upstream.send(["number": "1"])
    subscriber.cancel()
    settle()
    #expect(upstream.subscriptions[0].isCancelled)
    #expect(written == ["1"])
    #expect(server.openConnections == 0)
    #expect(ends.lines == [])
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let subscriber = write(bound: 100)
    let other = TestPublisher<StreamFields, Broken>()
    other.subscribe(subscriber)
    settle()
    #expect(other.subscriptions[0].isCancelled)
    #expect(!upstream.subscriptions[0].isCancelled)
  }

  @Test func anUpstreamThatLetsGoOfItEndsIt() {
    do {
      let subscriber = RedisStreamSubscriber<Broken>(stream: "s", to: server, bound: 10, on: server.scheduler) { _ in }
      subscriber.receive(subscription: Subscriptions.empty)
      _ = subscriber.receive(["number": "1"])
    }
    settle()
    #expect(written == ["1"])
    #expect(server.openConnections == 0)
  }

  @Test func theEndIsToldAlsoWhenTheUpstreamLetsGoOfIt() {
    do {
      let ends = ends
      let subscriber = RedisStreamSubscriber<Broken>(stream: "s", to: server, bound: 10, on: server.scheduler) { _ in
        ends.note(.connected)
      }
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .finished)
    }
    settle()
    #expect(ends.lines == ["connected"])
  }

  @Test func keepsTheContract() throws {
    let values: [StreamFields] = (1...100).map { (number: Int) -> StreamFields in ["number": String(number)] }
    try SubscriberVerification(values: values, failure: Broken()) { () -> RedisStreamSubscriber<Broken> in
      let scheduler = PromptScheduler()
      return RedisStreamSubscriber(
        stream: "s", to: FakeRedis(scheduler.time), bound: 3, backoff: Backoff(jitter: { 1 }), on: scheduler
      ) { _ in }
    }.run(length: 4).check()
  }
}

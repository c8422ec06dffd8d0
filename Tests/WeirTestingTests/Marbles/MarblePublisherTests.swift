import Testing
import Weir
import WeirTesting

@Suite struct MarblePublisherTests {
  let scheduler = VirtualTimeScheduler()

  @Test func sendsWhatTheDiagramShows() throws {
    let publisher = try TestPublisher<Int, Oops>(
      marbles: "1-(23)'12'#", error: .oops, on: scheduler, frame: .milliseconds(10))
    let subscriber = TestSubscriber<Int, Oops>(demanding: .unlimited, clock: scheduler)
    publisher.subscribe(subscriber)
    #expect(subscriber.values == [])
    try scheduler.run()
    #expect(
      subscriber.history.dropFirst(2).map(\.description) == [
        "value(1) at 0 s", "value(2) at 20 ms", "value(3) at 20 ms", "value(12) at 30 ms", "failure(oops) at 40 ms",
      ])
    try subscriber.expect(marbles: "1-(23)'12'#", frame: .milliseconds(10))
  }

  @Test func isHotOrCold() throws {
    let hot = try TestPublisher<String, Never>(.hot, marbles: "abcd|", on: scheduler)
    let cold = try TestPublisher<String, Never>(.cold, marbles: "abcd|", on: scheduler)
    scheduler.advance(by: 1)
    let start = scheduler.now
    let late = TestSubscriber<String, Never>(demanding: .unlimited, clock: scheduler)
    hot.merge(with: cold).subscribe(late)
    try scheduler.run()
    try late.expect(marbles: "a(cb)(dc)d|", since: start)
  }

  @Test func tokensStandForOtherValues() throws {
    struct User: Equatable {
      var name: String
    }
    let users: MarbleValues<User> = ["a": User(name: "Ada"), "b": User(name: "Bob")]
    let publisher = try TestPublisher<User, Never>(marbles: "ab|", values: users, on: scheduler)
    try publisher.filter { $0.name != "Ada" }.expect(marbles: "-b|", values: users, on: scheduler)
    let twice = MarbleValues<Int>(value: { Int($0).map { $0 * 2 } }, token: { String($0 / 2) })
    try TestPublisher<Int, Never>(marbles: "12|", values: twice, on: scheduler)
      .map { $0 + 2 }.expect(marbles: "23|", values: twice, on: scheduler)
  }

  @Test(arguments: [
    (
      "1-x-|",
      """
      There is no Int for “x”: pass one as values: ["x": …].
        1-x-|
          ↑
      """
    ),
    (
      "1-#",
      """
      There is no error for “#”: pass one as error:.
        1-#
          ↑
      """
    ),
    (
      "1|2",
      """
      No event may follow the completion: remove this, or pass misbehaving: .afterCompletion.
        1|2
          ↑
      """
    ),
    (
      "^1",
      """
      “^” is an action of a subscriber: remove it from the events of a publisher.
        ^1
        ↑
      """
    ),
  ])
  func saysWhatItCannotSend(_ example: (text: String, message: String)) {
    let message = messageOfFailure { _ = try TestPublisher<Int, Oops>(marbles: example.text, on: scheduler) }
    #expect(message == example.message)
  }

  @Test func goesOnAfterTheEndIfToldTo() throws {
    let publisher = try TestPublisher<Int, Never>(marbles: "1|2", on: scheduler, misbehaving: .afterCompletion)
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited, clock: scheduler)
    publisher.subscribe(subscriber)
    try scheduler.run()
    try subscriber.expect(marbles: "1|2")
    #expect(subscriber.violations.map(\.rule) == [.nothingAfterCompletion])
  }
}

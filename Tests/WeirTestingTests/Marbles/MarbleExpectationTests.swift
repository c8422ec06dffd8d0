import Testing
import Weir
import WeirTesting

@Suite struct MarbleExpectationTests {
  let scheduler = VirtualTimeScheduler()

  func source(_ marbles: String) throws -> TestPublisher<String, Never> {
    try TestPublisher(marbles: marbles, on: scheduler)
  }

  @Test func anOperatorUnderDemand() throws {
    try source("ab-c-|").expect(marbles: "a--b-(c|)", demand: "1--1-1", on: scheduler)
    try source("ab-c-|").expect(marbles: "(a)b-c-|", on: scheduler)
    try source("abcdef|").expect(marbles: "---(ab)(cd)(ef)|", demand: "---222", on: scheduler)
  }

  @Test func anOperatorOfTime() throws {
    try source("ab--c----|").debounce(for: 2, scheduler: scheduler)
      .expect(marbles: "---b--c--|", on: scheduler)
    #expect(scheduler.now == .seconds(9))
    try source("ab|").delay(for: 1, scheduler: scheduler).expect(marbles: "-ab|", on: scheduler)
  }

  @Test func aCancel() throws {
    let publisher = try source("abcd|")
    try publisher.expect(marbles: "ab!", demand: "∞", on: scheduler)
    try publisher.subscriptions[0].expect(marbles: "^-!", demand: "∞")
    #expect(publisher.subscriptions[0].diagram().description == "^-!")
    #expect(publisher.subscriptions[0].demandDiagram().description == "∞")
  }

  @Test(arguments: [TestPublisher<String, Never>.Temperature.cold, .hot])
  func aCancelComesBeforeItsFrameOrBehindIt(temperature: TestPublisher<String, Never>.Temperature) throws {
    for (events, marbles) in [("-ab|", "-!"), ("-ab|", "-(a!)"), ("-(ab)|", "-(ab!)"), ("a|", "(a!)")] {
      let publisher = try TestPublisher<String, Never>(temperature, marbles: events, on: scheduler)
      if marbles == "(a!)", temperature == .hot { continue }  // It subscribes when its value has been sent.
      try publisher.expect(marbles: marbles, on: scheduler)
    }
  }

  @Test func aRecordingPrintsAsADiagram() throws {
    let subscriber = try TestSubscriber<String, Never>(demand: "2--1'12'", clock: scheduler)
    try source("abcde|").subscribe(subscriber)
    scheduler.advance(by: 4)
    subscriber.cancel()
    #expect(subscriber.diagram().description == "ab-c(de)")
    #expect(subscriber.diagram(including: [.subscription, .cancellation]).description == "(^a)b-c(de!)")
    #expect(subscriber.demandDiagram().description == "2--1'12'")
    try subscriber.expect(marbles: "(^a)b-c(de!)", demand: "2--1'12'")
  }

  @Test func aMismatchShowsBothOneUnderTheOther() throws {
    let publisher = try source("--a-b-(cd)-|").filter { $0 != "b" }
    let line: UInt = #line + 2
    let error = failure {
      try publisher.expect(marbles: "--a-b-(cd)-|", on: scheduler)
    }
    #expect(
      "\(error, default: "")" == """
        WeirTestingTests/MarbleExpectationTests.swift:\(line): The diagrams differ: events from frame 4.
        expected events  --a-b-(cd)-|
        received events  --a---(cd)-|
                             ↑
        """)
  }

  @Test func framesStayUnderEachOther() throws {
    let subscriber = try TestSubscriber<String, Never>(demand: "3-'10'", clock: scheduler)
    try source("(ab)cd|").subscribe(subscriber)
    try scheduler.run()
    let message = messageOfFailure { try subscriber.expect(marbles: "ab(cd)|", demand: "3-2") }
    #expect(
      message == """
        The diagrams differ: events from frame 0, demand from frame 2.
        expected events  a   b(cd)|
        received events  (ab)cd   |
                         ↑
        expected demand  3   -2
        received demand  3   -'10'
                              ↑
        """)
  }

  @Test func timesBetweenFramesAreNoMatch() throws {
    let message = messageOfFailure {
      try source("a-|").delay(for: 0.5, scheduler: scheduler).expect(marbles: "a-|-", on: scheduler)
    }
    #expect(
      message == """
        With frames of 1 s, events are between frames: value("a") at 500 ms, finished at 2.5 s.
        expected events  a-|-
        received events  a-|
        """)
  }

  @Test func theContractIsCheckedToo() throws {
    let misbehaving = try TestPublisher<Int, Never>(.hot, marbles: "12|", on: scheduler, misbehaving: .moreThanAsked)
    let message = messageOfFailure { try misbehaving.expect(marbles: "12|", demand: "1", on: scheduler) }
    #expect(message?.hasPrefix("value(2) at 1 s broke a rule: Values never exceed the demand") == true)
  }

  @Test func saysWhatIsNoDemand() throws {
    let message = messageOfFailure { _ = try TestSubscriber<Int, Never>(demand: "3-x", clock: scheduler) }
    #expect(
      message == """
        This is not a demand: write a digit, a number in quotes such as '12', or “∞”.
          3-x
            ↑
        """)
  }
}

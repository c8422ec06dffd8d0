import Testing
import Weir
import WeirTesting

@Suite struct VerifyTests {
  @Test func leadsAPublisherThroughAScript() throws {
    try verify([1, 2, 3].lazy.publisher.map { $0 * 10 }) {
      request(2)
      next(10, 20)
      noEvent()
      request(.unlimited)
      next(30)
      finished()
    }
  }

  @Test func cancelsOnlyAnActiveSubscription() throws {
    let (finished, active) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    try verify(finished) {
      request(1)
      then { finished.send(completion: .finished) }
      WeirTesting.finished()
    }
    #expect(finished.subscriptions.map(\.events) == [[.subscribed, .requested(.max(1)), .completed]])
    try verify(active) { request(1) }
    #expect(active.subscriptions.map(\.events) == [[.subscribed, .requested(.max(1)), .cancelled]])
  }

  @Test func movesTime() throws {
    let scheduler = VirtualTimeScheduler()
    try verify([1].lazy.publisher.delay(for: 2, scheduler: scheduler), on: scheduler) {
      subscription()
      request(1)
      noEvent(for: 1)
      advance(by: 1)
      nextMatching { $0 > 0 }
      finished()
    }
  }

  @Test func sendsFailsAndCancels() throws {
    let publisher = TestPublisher<String, Oops>()
    try verify(publisher) {
      request(1)
      then {
        publisher.send("a")
        publisher.send("b")
      }
      next("a")
      for letter in ["c", "d"] {
        request(1)
        then { publisher.send(letter) }
        next(letter)
      }
      cancel()
      then { publisher.send("e") }
      noEvent()
    }
    try verify(Fail<Int, Oops>(error: .oops)) { failure(.oops) }
    try verify(Fail<Int, Oops>(error: .oops)) { failure() }
    try verify(publisher) {}
    #expect(publisher.subscriptions.map(\.cancelCount) == [2, 1])
  }

  // MARK: Mismatches

  var numbers: some Publisher<Int, Never> { [1, 2].lazy.publisher }

  @Test func namesTheStep() {
    let publisher = TestPublisher<Int, Never>(whenNotAsked: .buffer)
    let line: UInt = #line + 5
    let error = failure {
      try verify(publisher) {
        request(2)
        then { [1, 2].forEach(publisher.send) }
        next(1, 3)
      }
    }
    #expect(
      "\(error, default: "")" == """
        WeirTestingTests/VerifyTests.swift:\(line): next(1, 3): expected value(3), but received value(2).
        All events: subscription(TestPublisher), requested(max(2)), value(1), value(2).
        """)
  }

  /// The first line of a failing script's message.
  func complaint(
    _ scheduler: VirtualTimeScheduler? = nil,
    @VerificationBuilder<Int, Never> _ steps: () -> [VerificationStep<Int, Never>]
  ) -> String? {
    messageOfFailure { try verify(numbers, on: scheduler, steps) }?.split(separator: "\n").first.map(String.init)
  }

  @Test func saysWhatCameInstead() {
    #expect(complaint { next(1) } == "next(1): expected value(1), but received no event.")
    #expect(
      complaint {
        request(1)
        finished()
      } == "finished(): expected finished, but received value(1).")
    #expect(
      complaint {
        request(1)
        failure()
      } == "failure(): expected a failure, but received value(1).")
    #expect(
      complaint {
        request(1)
        nextMatching { $0 > 1 }
      } == "nextMatching: expected a value that meets the condition, but received value(1).")
    #expect(
      complaint {
        request(1)
        subscription()
        subscription()
      } == "subscription(): expected a subscription, but received value(1).")
    #expect(
      complaint {
        request(1)
        noEvent()
      } == "noEvent(): expected no event, but received value(1).")
    #expect(
      complaint(VirtualTimeScheduler()) {
        request(1)
        noEvent(for: .milliseconds(5))
      } == "noEvent(for: 5 ms): expected no event for 5 ms, but received value(1) at 0 s.")
    #expect(
      complaint { advance(by: 1) }
        == "advance(by: 1 s): the step requires a scheduler; pass it to verify: verify(publisher, on: scheduler).")
    #expect(
      complaint {
        request(2)
        next(1)
      } == "Events that no step expects followed the last step: value(2), finished.")
  }

  @Test func checksTheContract() {
    let misbehaving = TestPublisher<Int, Oops>(misbehaving: .moreThanAsked)
    let message = messageOfFailure {
      try verify(misbehaving) {
        then { misbehaving.send(1) }
        next(1)
      }
    }
    #expect(message?.hasPrefix("then: value(1) at 0 s broke a rule: Values never exceed the demand") == true)
    #expect(message?.contains("..") == false)
  }
}

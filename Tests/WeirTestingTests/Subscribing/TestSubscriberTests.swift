import Testing
import Weir
import WeirTesting

@Suite struct TestSubscriberTests {
  typealias Subscriber = TestSubscriber<Int, Oops>
  typealias Event = TestEvent<Int, Oops>

  @Test func asksForWhatItIsToldTo() {
    let subscriber = TestSubscriber<Int, Never>(demanding: .max(2))
    (1...6).lazy.publisher.subscribe(subscriber)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.ledger.outstanding == .none)
    subscriber.request(.max(1))
    #expect(subscriber.values == [1, 2, 3])
    #expect(!subscriber.isFinished)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 3, 4, 5, 6])
    #expect(subscriber.isFinished)
    #expect(subscriber.violations == [])
  }

  /// A value whose description runs a closure.
  private struct Described: CustomStringConvertible {
    let describe: () -> String
    var description: String { describe() }
  }

  @Test func aDescriptionCanReadTheSubscriber() {
    let publisher = TestPublisher<Described, Never>(misbehaving: .moreThanAsked)
    let subscriber = TestSubscriber<Described, Never>(demanding: .none)
    publisher.subscribe(subscriber)
    publisher.send(Described { [unowned subscriber] in "one of \(subscriber.values.count)" })
    #expect(subscriber.violations.map(\.event) == ["value(one of 1)"])
  }

  @Test func returnsDemand() {
    let constant = TestSubscriber<Int, Never>(demanding: .max(1), returning: .max(1))
    (1...3).lazy.publisher.subscribe(constant)
    #expect(constant.values == [1, 2, 3])
    #expect(constant.ledger.description == "requested 1, returned 3, received 3: outstanding 1")
    let chosen = TestSubscriber<Int, Never>(demanding: .max(1)) { $0 < 2 ? .max(1) : .none }
    (1...3).lazy.publisher.subscribe(chosen)
    #expect(chosen.events.dropFirst() == [.value(1), .value(2)])
    #expect(
      chosen.history.map(\.event).dropFirst() == [.requested(.max(1)), .value(1), .returned(.max(1)), .value(2)])
  }

  @Test func writesDownTheTimes() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()
    let subscriber = Subscriber(demanding: .unlimited, clock: scheduler)
    subject.subscribe(subscriber)
    scheduler.advance(by: .milliseconds(20))
    subject.send(3)
    scheduler.advance(by: 1)
    subject.send(completion: .failure(.oops))
    #expect(
      subscriber.history.map(\.description) == [
        "subscription(PassthroughSubject) at 0 s", "requested(unlimited) at 0 s", "value(3) at 20 ms",
        "failure(oops) at 1.02 s",
      ])
    #expect(subscriber.failure == .oops)
    #expect(subscriber.completion == .failure(.oops))
  }

  @Test func whatIsDoneBeforeTheSubscriptionWaitsForIt() {
    let asks = TestSubscriber<Int, Never>(demanding: .max(1))
    asks.request(.max(2))
    (1...9).lazy.publisher.subscribe(asks)
    #expect(asks.values == [1, 2, 3])
    let publisher = TestPublisher<Int, Oops>()
    let cancels = Subscriber(demanding: .max(1))
    cancels.cancel()
    publisher.subscribe(cancels)
    #expect(publisher.subscriptions[0].events == [.subscribed, .cancelled])
  }

  @Test func askingFromInsideADelivery() {
    let subscriber = TestSubscriber<Int, Never>(demanding: .max(1))
    subscriber.onEvent = { subscriber, event in
      if case .value(let value) = event { value < 3 ? subscriber.request(.max(1)) : subscriber.cancel() }
    }
    (1...9).lazy.publisher.subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.violations == [])
  }

  // MARK: Violations

  /// The violations of a nonconforming publisher, by rule and event.
  func judge(_ body: (Subscriber) -> Void, demanding demand: Subscribers.Demand = .unlimited) -> [String] {
    let subscriber = Subscriber(demanding: demand)
    body(subscriber)
    return subscriber.violations.map { "\($0.rule) \($0.event)" }
  }

  @Test func moreThanWasAskedFor() {
    let found = judge(
      {
        TestPublisher<Int, Oops>(misbehaving: .moreThanAsked).sendThree(to: $0)
      }, demanding: .max(1))
    #expect(found == ["demand value(2)", "demand value(3)"])
  }

  @Test func eventsBeforeTheSubscription() {
    let found = judge {
      _ = $0.receive(1)
      $0.receive(completion: .finished)
      $0.receive(subscription: Subscriptions.empty)
    }
    #expect(
      found == [
        "subscriptionFirst value(1)", "subscriptionFirst finished", "nothingAfterCompletion subscription(Empty)",
      ])
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let publisher = TestPublisher<Int, Oops>()
    let found = judge {
      $0.receive(subscription: Subscriptions.empty)
      publisher.subscribe($0)
    }
    #expect(found == ["oneSubscription subscription(TestPublisher)"])
    #expect(publisher.subscriptions[0].events == [.subscribed, .cancelled])
  }

  @Test func eventsAfterTheEnd() {
    let found = judge {
      $0.receive(subscription: Subscriptions.empty)
      $0.receive(completion: .finished)
      _ = $0.receive(1)
      $0.receive(completion: .failure(.oops))
    }
    #expect(found == ["nothingAfterCompletion value(1)", "nothingAfterCompletion failure(oops)"])
  }

  @Test func eventsAfterACancelOnTheSameThread() {
    let found = judge {
      $0.receive(subscription: Subscriptions.empty)
      $0.cancel()
      _ = $0.receive(1)
    }
    #expect(found == ["nothingAfterCancel value(1)"])
  }

  @Test func aDeliveryInsideAnother() {
    let found = judge {
      $0.onEvent = { subscriber, event in
        if event == .value(1) { _ = subscriber.receive(2) }
      }
      $0.receive(subscription: Subscriptions.empty)
      _ = $0.receive(1)
    }
    #expect(found == ["notNested value(2)"])
  }

  @Test func aSubjectMayNestIfThatIsAllowed() throws {
    let subject = PassthroughSubject<Int, Oops>()
    let subscriber = Subscriber(demanding: .unlimited, allowing: [.notNested])
    subscriber.onEvent = { _, event in if event == .value(1) { subject.send(2) } }
    subject.subscribe(subscriber)
    subject.send(1)
    #expect(subscriber.values == [1, 2])
    try subscriber.checkContract()
  }

  @Test func twoThreadsAtOnce() throws {
    let publisher = TestPublisher<Int, Oops>(misbehaving: .fromTwoThreads)
    let subscriber = Subscriber(demanding: .max(5))
    let meeting = Meeting()
    subscriber.onEvent = { _, event in if event == .value(1) { meeting.join() } }
    publisher.subscribe(subscriber)
    publisher.send(1)
    #expect(subscriber.values == [1, 1])
    #expect(subscriber.violations.map(\.rule) == [.serial])
  }

  @Test func theContractNamesRuleEventAndPlace() throws {
    let subscriber = Subscriber(demanding: .max(2))
    TestPublisher<Int, Oops>(misbehaving: .moreThanAsked).sendThree(to: subscriber)
    let line: UInt = #line + 1
    let error = #expect(throws: TestFailure.self) { try subscriber.checkContract() }
    #expect(
      error?.description == """
        WeirTestingTests/TestSubscriberTests.swift:\(line): value(3) at 0 s broke a rule: Values never exceed the \
        demand that the subscriber has requested and returned. Demand: requested 2, returned 0, received 3 (1 of them \
        without demand): outstanding 0.
        The events before the first violation:
          subscription(TestPublisher) at 0 s
          requested(max(2)) at 0 s
          value(1) at 0 s
          value(2) at 0 s
          value(3) at 0 s
        """)
  }
}

extension TestPublisher<Int, Oops> {
  fileprivate func sendThree(to subscriber: TestSubscriber<Int, Oops>) {
    subscribe(subscriber)
    for value in 1...3 { send(value) }
  }
}

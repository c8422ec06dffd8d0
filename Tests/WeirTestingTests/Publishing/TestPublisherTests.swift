import Testing
import Weir
import WeirTesting

@Suite struct TestPublisherTests {
  typealias Manual = TestPublisher<Int, Oops>
  typealias Event = TestEvent<Int, Oops>

  func subscriber(
    _ demand: Subscribers.Demand, clock: VirtualTimeScheduler? = nil, to publisher: Manual
  ) -> TestSubscriber<Int, Oops> {
    let subscriber = TestSubscriber<Int, Oops>(demanding: demand, clock: clock)
    publisher.subscribe(subscriber)
    return subscriber
  }

  @Test func dropsWhatNobodyAskedFor() throws {
    let publisher = Manual()
    let few = subscriber(.max(1), to: publisher)
    let many = subscriber(.unlimited, to: publisher)
    publisher.send(1)
    publisher.send(2)
    few.request(.max(1))
    publisher.send(3)
    #expect(few.values == [1, 3])
    #expect(many.values == [1, 2, 3])
    publisher.send(completion: .finished)
    publisher.send(4)
    publisher.send(completion: .failure(.oops))
    #expect(few.events.suffix(2) == [.value(3), .finished])
    let late = subscriber(.none, to: publisher)
    #expect(late.events == [.subscription("TestPublisher"), .finished])
    try few.checkContract()
    try many.checkContract()
  }

  @Test func keepsWhatNobodyAskedForIfToldTo() {
    let publisher = Manual(whenNotAsked: .buffer)
    let few = subscriber(.max(1), to: publisher)
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(few.values == [1])
    few.request(.max(1))
    #expect(few.values == [1, 2])
    #expect(few.completion == nil)
    few.request(.max(1))
    #expect(few.events.suffix(2) == [.value(3), .finished])
  }

  @Test func recordsWhatItIsAskedFor() {
    let scheduler = VirtualTimeScheduler()
    let publisher = Manual(clock: scheduler)
    let subscriber = TestSubscriber<Int, Oops>(demanding: .max(2), returning: .max(1), clock: scheduler)
    publisher.subscribe(subscriber)
    scheduler.advance(by: 1)
    publisher.send(1)
    #expect(publisher.subscriberCount == 1)
    subscriber.cancel()
    subscriber.cancel()
    subscriber.request(.max(3))
    publisher.send(2)
    let record = publisher.subscriptions[0]
    #expect(
      record.description
        == """
        subscribed at 0 s, requested(max(2)) at 0 s, returned(max(1)) at 1 s, cancelled at 1 s, cancelled at 1 s, \
        requested(max(3)) at 1 s
        """)
    #expect(record.requests == [.max(2), .max(3)])
    #expect(record.demand == .max(6))
    #expect(record.cancelCount == 2)
    #expect(publisher.subscriberCount == 0)
    #expect(subscriber.values == [1])
  }

  @Test func aColdScriptBeginsWithEachSubscription() throws {
    let scheduler = VirtualTimeScheduler()
    let publisher = Manual(
      .cold, on: scheduler, [.at(.seconds(1), .value(1)), .at(.seconds(2), .value(2)), .at(.seconds(2), .finished)])
    let first = subscriber(.unlimited, clock: scheduler, to: publisher)
    scheduler.advance(by: .milliseconds(1500))
    let second = subscriber(.max(1), clock: scheduler, to: publisher)
    try scheduler.run()
    #expect(
      first.history.suffix(3) == [
        Recorded(.seconds(1), .value(1)), Recorded(.seconds(2), .value(2)), Recorded(.seconds(2), .finished),
      ])
    #expect(second.history.last == Recorded(.milliseconds(2500), .value(1)))
    second.request(.max(1))
    #expect(second.events.suffix(2) == [.value(2), .finished])
  }

  @Test func aHotScriptBeginsNow() throws {
    let scheduler = VirtualTimeScheduler()
    scheduler.advance(by: 5)
    let publisher = Manual(.hot, on: scheduler, [.at(1, .value(1)), .at(2, .value(2)), .at(3, .failure(.oops))])
    scheduler.advance(by: 1)
    let late = subscriber(.unlimited, clock: scheduler, to: publisher)
    try scheduler.run()
    #expect(late.history.suffix(2) == [Recorded(.seconds(7), .value(2)), Recorded(.seconds(8), .failure(.oops))])
  }

  @Test func aCancelTakesTheScriptAway() {
    let scheduler = VirtualTimeScheduler()
    let publisher = Manual(.cold, on: scheduler, [.at(1, .value(1)), .at(2, .finished)])
    subscriber(.unlimited, to: publisher).cancel()
    #expect(scheduler.pendingCount == 0)
    let early = TestSubscriber<Int, Oops>()
    early.onEvent = { subscriber, _ in subscriber.cancel() }
    publisher.subscribe(early)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func whatIsSentFromInsideADeliveryComesAfterIt() throws {
    let publisher = Manual()
    let subscriber = TestSubscriber<Int, Oops>(demanding: .unlimited)
    subscriber.onEvent = { _, event in
      if case .value(let value) = event, value < 3 { publisher.send(value + 1) }
    }
    publisher.subscribe(subscriber)
    publisher.send(1)
    #expect(subscriber.values == [1, 2, 3])
    try subscriber.checkContract()
  }

  @Test func letsGoOfItsSubscribers() {
    let publisher = Manual()
    weak var remains: TestSubscriber<Int, Oops>?
    for end in [false, true] {
      do {
        let subscriber = subscriber(.unlimited, to: publisher)
        remains = subscriber
        if end { publisher.send(completion: .finished) } else { subscriber.cancel() }
      }
      #expect(remains == nil)
    }
  }

  @Test func aScriptThatIsNotPlayedIsReleased() throws {
    weak var remains: VirtualTimeScheduler?
    for temperature in [Manual.Temperature.hot, .cold] {
      do {
        let scheduler = VirtualTimeScheduler()
        remains = scheduler
        let publisher = Manual(temperature, on: scheduler, [.at(1, .value(1)), .at(9, .value(2))])
        let subscriber = subscriber(.unlimited, to: publisher)
        scheduler.advance(by: 2)
        #expect(subscriber.values == [1])
        subscriber.cancel()
      }
      #expect(remains == nil)
    }
    do {
      let scheduler = VirtualTimeScheduler()
      remains = scheduler
      let subscriber = try TestSubscriber<Int, Oops>(demand: "1--1", clock: scheduler)
      Manual().subscribe(subscriber)
      subscriber.cancel()
    }
    #expect(remains == nil)
  }

  @Test func aHotScriptOutlivesItsPublisher() throws {
    let scheduler = VirtualTimeScheduler()
    let subscriber = subscriber(
      .unlimited, clock: scheduler, to: Manual(.hot, on: scheduler, [.at(1, .value(1)), .at(2, .finished)]))
    try scheduler.run()
    #expect(subscriber.events == [subscription, .value(1), .finished])
  }

  @Test func aSuccessorWithoutValuesFinishesWithoutDemand() {
    let subscriber = TestSubscriber<Int, UpstreamFailure>()
    SuccessorPublisher([]).subscribe(subscriber)
    #expect(subscriber.isFinished)
    #expect(subscriber.events.count == 2)
  }

  // MARK: Misbehavior

  /// The events of a publisher that breaks a rule.
  func events(
    _ misbehavior: Misbehavior, demanding demand: Subscribers.Demand = .unlimited,
    _ body: (Manual, TestSubscriber<Int, Oops>) -> Void
  ) -> [Event] {
    let publisher = Manual(misbehaving: misbehavior)
    let subscriber = subscriber(demand, to: publisher)
    body(publisher, subscriber)
    #expect(!subscriber.violations.isEmpty)
    return subscriber.events
  }

  let subscription = Event.subscription("TestPublisher")

  @Test func sendsMoreThanAsked() {
    let events = events(.moreThanAsked, demanding: .none) { publisher, _ in publisher.send(1) }
    #expect(events == [subscription, .value(1)])
  }

  @Test func sendsAfterTheCompletion() {
    let events = events(.afterCompletion) { publisher, _ in
      publisher.send(completion: .finished)
      publisher.send(1)
      publisher.send(completion: .failure(.oops))
    }
    #expect(events == [subscription, .finished, .value(1), .failure(.oops)])
  }

  @Test func sendsBeforeTheSubscription() {
    let events = events(.beforeSubscription) { publisher, _ in
      publisher.send(1)
      publisher.send(2)
    }
    #expect(events == [.value(1), subscription, .value(2)])
    let ended = self.events(.beforeSubscription) { publisher, _ in publisher.send(completion: .finished) }
    #expect(ended == [.finished, subscription])
  }

  @Test func sendsWithoutASubscription() {
    let events = events(.withoutSubscription) { publisher, _ in
      publisher.send(1)
      publisher.send(completion: .finished)
    }
    #expect(events == [.value(1), .finished])
  }

  @Test func subscribesTwice() {
    let events = events(.subscribesTwice) { _, _ in }
    #expect(events == [subscription, subscription])
  }

  @Test func aSubscriberKeepsTheFirstOfTwoSubscriptions() {
    let publisher = Manual(misbehaving: .subscribesTwice)
    let subscriber = subscriber(.unlimited, to: publisher)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(subscriber.events == [subscription, subscription, .value(1), .finished])
    #expect(
      publisher.subscriptions.map(\.events) == [
        [.subscribed, .requested(.unlimited), .completed], [.subscribed, .cancelled],
      ])
  }

  @Test func ignoresCancel() {
    let events = events(.ignoresCancel) { publisher, subscriber in
      subscriber.cancel()
      publisher.send(1)
    }
    #expect(events == [subscription, .value(1)])
  }

  @Test func anOperatorReceivesOneThreadAtATime() throws {
    let publisher = Manual(misbehaving: .fromTwoThreads)
    let subscriber = TestSubscriber<Int, Oops>(demanding: .unlimited)
    publisher.scan(0, +).subscribe(subscriber)
    for _ in 1...100 { publisher.send(1) }
    #expect(subscriber.values == Array(1...200))
    try subscriber.checkContract()
  }
}

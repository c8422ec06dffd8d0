import Testing

@testable import TestSupport
@testable import Weir

@Suite("SubscriptionArbiter")
struct SubscriptionArbiterTests {
  let recorder = Recorder<Int, TestError>()

  @Test("requests outstanding demand from the next upstream: requested and returned, minus delivered")
  func outstanding() {
    let arbiter = SubscriptionArbiter("SubscriptionArbiter", downstream: Downstream(recorder))
    let first = ManualSubscription()
    let second = ManualSubscription()
    recorder.onValue = { value in value == 1 ? .max(2) : .none }
    arbiter.receive(subscription: first)
    recorder.request(.max(3))
    #expect(arbiter.receive(1) == .max(2))
    #expect(arbiter.receive(2) == .none)
    #expect(arbiter.link.detach())
    arbiter.receive(subscription: second)
    #expect(first.events == [.requested(.max(3))])
    #expect(second.events == [.requested(.max(3))])
    recorder.request(.max(1))
    #expect(second.events == [.requested(.max(3)), .requested(.max(1))])
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
  }

  @Test("keeps demand that arrives between two upstreams")
  func between() {
    let arbiter = SubscriptionArbiter("SubscriptionArbiter", downstream: Downstream(recorder))
    arbiter.receive(subscription: ManualSubscription())
    #expect(arbiter.link.detach())
    recorder.request(.max(2))
    let next = ManualSubscription()
    arbiter.receive(subscription: next)
    #expect(next.events == [.requested(.max(2))])
  }

  @Test("requests no values without outstanding demand, also after too many values")
  func nothing() {
    let arbiter = SubscriptionArbiter("SubscriptionArbiter", downstream: Downstream(recorder))
    arbiter.receive(subscription: ManualSubscription())
    recorder.request(.max(1))
    for value in 1...3 { _ = arbiter.receive(value) }
    #expect(arbiter.link.detach())
    let next = ManualSubscription()
    arbiter.receive(subscription: next)
    #expect(next.events == [])
  }

  @Test("ignores values between two upstreams, and cancels an unexpected upstream")
  func ignores() {
    let arbiter = SubscriptionArbiter("SubscriptionArbiter", downstream: Downstream(recorder))
    let extra = ManualSubscription()
    arbiter.receive(subscription: ManualSubscription())
    arbiter.receive(subscription: extra)
    #expect(extra.events == [.cancelled])
    #expect(arbiter.link.detach())
    #expect(arbiter.receive(1) == .none)
    recorder.cancel()
    let late = ManualSubscription()
    arbiter.receive(subscription: late)
    #expect(late.events == [.cancelled])
    #expect(recorder.events == [.subscription])
  }

  // MARK: Successive upstreams

  /// Sends 1 and completes during the delivery; the next upstream immediately delivers on another thread.
  func overlap<P: Publisher>(
    completing completion: Subscribers.Completion<TestError>, _ operation: (PassthroughSubject<Int, TestError>) -> P
  ) -> [String] where P.Output == Int {
    let source = PassthroughSubject<Int, TestError>()
    var log: [String] = []
    let sink = operation(source).sink(receiveCompletion: { _ in log.append("end") }) { value in
      log.append("enter \(value)")
      if value == 1 { source.send(completion: completion) }
      log.append("leave \(value)")
    }
    source.send(1)
    withExtendedLifetime(sink) {}
    return log
  }

  /// Delivers on another thread, and waits for it.
  struct Elsewhere: Publisher {
    typealias Output = Int
    typealias Failure = TestError
    let value: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      let subject = PassthroughSubject<Int, TestError>()
      subject.receive(subscriber: subscriber)
      onAnotherThread {
        subject.send(value)
        subject.send(completion: .finished)
      }
    }
  }

  @Test("an upstream is attached after the delivery in which the previous one completed has returned")
  func follows() {
    let expected = ["enter 1", "leave 1", "enter 2", "leave 2", "end"]
    #expect(overlap(completing: .finished) { source in source.append(Elsewhere(value: 2)) } == expected)
    #expect(
      overlap(completing: .failure(.oops)) { source in
        source.catch { (_: TestError) -> Elsewhere in Elsewhere(value: 2) }
      } == expected)
    #expect(
      overlap(completing: .failure(.oops)) { source in
        source.tryCatch { (_: TestError) throws -> Elsewhere in Elsewhere(value: 2) }
      } == expected)
    var attempts = 0
    #expect(
      overlap(completing: .failure(.oops)) { source in
        Deferred {
          attempts += 1
          return attempts == 1 ? source.eraseToAnyPublisher() : Elsewhere(value: 2).eraseToAnyPublisher()
        }.retry(1)
      } == expected)
  }

  @Test("requests the demand that the last delivery returned once from the next upstream")
  func returnedOnce() {
    let source = PassthroughSubject<Int, TestError>()
    let next = ManualPublisher<Int, TestError>()
    recorder.onValue = { _ in
      source.send(completion: .finished)
      return .max(2)
    }
    source.append(next).subscribe(recorder)
    recorder.request(.max(1))
    source.send(1)
    #expect(next.events == [.requested(.max(2))])
  }

  @Test("requests demand for an upstream that completes in its delivery from the next one, without returning it")
  func returnedToTheNext() {
    let first = ManualPublisher<Int, TestError>()
    let next = ManualPublisher<Int, TestError>()
    recorder.onValue = { _ in
      first.send(completion: .finished)
      return .max(2)
    }
    first.append(next).subscribe(recorder)
    recorder.request(.max(1))
    #expect(first.send(1) == .none)
    #expect(next.events == [.requested(.max(2))])
  }

  @Test("attaches no upstream after a cancellation in the delivery in which an upstream completed")
  func cancelledInBetween() {
    let source = PassthroughSubject<Int, TestError>()
    let next = ManualPublisher<Int, TestError>()
    recorder.onValue = { [recorder] _ in
      source.send(completion: .finished)
      recorder.cancel()
      return .none
    }
    source.append(next).subscribe(recorder)
    recorder.request(.unlimited)
    source.send(1)
    #expect(next.subscriptions.isEmpty)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("another thread doesn't deliver a buffered rest during a delivery")
  func rest() {
    // It ignores demand. Otherwise there would be no rest without demand.
    let source = ManualPublisher<Int, TestError>()
    var log: [String] = []
    let groups = Recorder<[Int], TestError>(demanding: .max(1))
    groups.onValue = { group in
      log.append("enter \(group)")
      if group == [1, 2] {
        source.send(3)
        source.send(completion: .finished)
        onAnotherThread { groups.request(.max(1)) }
      }
      log.append("leave \(group)")
      return .none
    }
    source.collect(2).subscribe(groups)
    source.send(1)
    source.send(2)
    #expect(log == ["enter [1, 2]", "leave [1, 2]", "enter [3]", "leave [3]"])
    #expect(groups.isFinished)
  }

  @Test("an upstream is attached after the outermost delivery has returned")
  func followsOutermost() {
    let source = PassthroughSubject<Int, TestError>()
    var log: [String] = []
    let sink = source.append(Elsewhere(value: 3)).sink(receiveCompletion: { _ in log.append("end") }) { value in
      log.append("enter \(value)")
      if value == 1 { source.send(2) }
      if value == 2 { source.send(completion: .finished) }
      log.append("leave \(value)")
    }
    source.send(1)
    #expect(log == ["enter 1", "enter 2", "leave 2", "leave 1", "enter 3", "leave 3", "end"])
    withExtendedLifetime(sink) {}
  }

  @Test("an upstream is attached after the subscriber has received its subscription")
  func followsSubscription() {
    let source = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { [recorder] subscription in
      subscription.request(.unlimited)
      source.send(completion: .finished)
      #expect(recorder.events == [.subscription])
    }
    source.append(Elsewhere(value: 2)).subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(2), .finished])
  }

  @Test("a buffered rest is not delivered during an outer delivery")
  func restOfNestedDelivery() {
    let source = ManualPublisher<Int, TestError>()
    var log: [String] = []
    let groups = Recorder<[Int], TestError>(demanding: .max(2))
    groups.onValue = { group in
      log.append("enter \(group)")
      if group == [1, 2] { for value in 3...4 { source.send(value) } }
      if group == [3, 4] {
        source.send(5)
        source.send(completion: .finished)
      }
      log.append("leave \(group)")
      return group == [3, 4] ? .max(1) : .none
    }
    source.collect(2).subscribe(groups)
    for value in 1...2 { source.send(value) }
    #expect(log == ["enter [1, 2]", "enter [3, 4]", "leave [3, 4]", "leave [1, 2]", "enter [5]", "leave [5]"])
    #expect(groups.isFinished)
  }
}

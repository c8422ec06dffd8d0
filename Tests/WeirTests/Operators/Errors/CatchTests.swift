import Testing
import Weir

@testable import TestSupport

@Suite("catch")
struct CatchTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Catch", failingWith: nil) { source, token in
      source.catch { (_: TestError) -> Publishers.Sequence<[Int], Never> in
        withExtendedLifetime(token) { [7, 8].publisher }
      }
    }
  }

  @Test("forwards demand, values and a finish, and never calls its closure")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    var calls = 0
    let recorder = source.catch { (_: TestError) -> Just<Int> in
      calls += 1
      return Just(0)
    }.record(demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1))])
    #expect(calls == 0)
  }

  @Test("delivers the value of a scalar publisher when there is demand, also behind a delivery in flight")
  func scalars() {
    for demand in [.unlimited, .max(2), .max(1)] as [Subscribers.Demand] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = source.catch { (_: TestError) -> Just<Int> in Just(7) }.record(demanding: demand)
      recorder.onValue = { (value: Int) -> Subscribers.Demand in
        if value == 1 { source.send(completion: .failure(.oops)) }
        return .none
      }
      source.send(1)
      if demand == .max(1) {
        #expect(recorder.events == [.subscription, .value(1)])
        recorder.request(.max(1))
      }
      #expect(recorder.events == [.subscription, .value(1), .value(7), .finished])
    }
  }

  @Test("delivers no completion behind a scalar publisher's value that cancels")
  func cancelledScalar() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.catch { (_: TestError) -> Just<Int> in Just(7) }.record(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(7)])
  }

  @Test("delivers a scalar publisher's value after the subscription, if the upstream fails before it has sent one")
  func scalarBeforeTheSubscription() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.catch { (_: TestError) -> Just<Int> in Just(7) }.record(demanding: .unlimited)
    source.sendSubscription()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(7), .finished])
    let failing = Fail<Int, TestError>(error: .oops).catch { (_: TestError) -> Just<Int> in Just(7) }.record()
    #expect(failing.events == [.subscription])
    failing.request(.max(1))
    #expect(failing.events == [.subscription, .value(7), .finished])
  }

  @Test("requests the remaining demand from the other publisher")
  func transfersDemand() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(3))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(other.events == [.requested(.max(2))])
    recorder.request(.max(4))
    #expect(other.events == [.requested(.max(2)), .requested(.max(4))])
    #expect(source.events == [.requested(.max(3))])
    other.send(2)
    other.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("requests no values from the other publisher without remaining demand")
  func transfersNoDemand() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(other.subscriptions.count == 1)
    #expect(other.events == [])
    recorder.request(.unlimited)
    #expect(other.events == [.requested(.unlimited)])
  }

  @Test("requests the demand that arrived before the other publisher's subscription")
  func requestsBetween() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>(subscribing: false)
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(demanding: .max(1))
    source.send(completion: .failure(.oops))
    recorder.request(.max(2))
    other.sendSubscription()
    #expect(other.events == [.requested(.max(3))])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("calls its closure only for the first failure; the second is forwarded")
  func failsTwice() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, TestError>()
    var errors: [TestError] = []
    let recorder = source.catch { (error: TestError) -> ManualPublisher<Int, TestError> in
      errors.append(error)
      return other
    }.record()
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.oops))
    other.send(completion: .failure(.other))
    #expect(recorder.events == [.subscription, .failed(.other)])
    #expect(errors == [.oops])
  }

  @Test("cancels the active publisher, also before its subscription")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let late = ManualPublisher<Int, Never>(subscribing: false)
    let first = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record()
    source.send(completion: .failure(.oops))
    first.cancel()
    #expect(other.events == [.cancelled])
    let second = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in late }.record()
    source.send(completion: .failure(.oops), to: 1)
    second.cancel()
    #expect(late.sendSubscription().events == [.cancelled])
    late.send(1)
    late.send(completion: .finished)
    #expect(second.events == [.subscription])
    #expect(source.events == [])
  }

  @Test("ignores the first publisher's events after its failure, also a subscription")
  func misbehaving() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>(subscribing: false)
    let recorder = source.catch { (_: TestError) -> ManualPublisher<Int, Never> in other }.record(
      demanding: .max(1), returning: .max(1))
    source.send(completion: .failure(.oops))
    #expect(source.sendSubscription().events == [.cancelled])
    #expect(source.send(1) == .none)
    #expect(other.send(2) == .none)
    other.send(completion: .finished)
    other.sendSubscription()
    #expect(other.events == [.requested(.max(1))])
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(other.send(3) == .max(1))
    #expect(other.sendSubscription().events == [.cancelled])
    other.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(3), .finished])
  }

  @Test("forwards demand that the delivery in which the upstream fails returns")
  func failsInsideADelivery() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 { subject.send(completion: .failure(.oops)) }
      return .max(1)
    }
    subject.catch { (_: TestError) -> Publishers.Sequence<[Int], Never> in [7, 8].publisher }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(7), .value(8), .finished])
  }

  @Test("subscribes to no publisher after its closure cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let other = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    source.catch { (_: TestError) -> ManualPublisher<Int, Never> in
      recorder.cancel()
      return other
    }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(other.subscribers.isEmpty)
    #expect(recorder.events == [.subscription])
  }
}

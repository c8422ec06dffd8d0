import Testing
import Weir

@testable import TestSupport

@Suite("append and prepend")
struct ConcatenateTests {
  @Test("conform to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Concatenate") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.append(7, 8)
    }
    checkCommonRules(named: "Concatenate") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .append(Empty<Int, TestError>())
    }
  }

  @Test("add values, sequences and publishers before and after, in order")
  func overloads() {
    #expect(NumberPublisher(1).append(2, 3).record(demanding: .unlimited).values == [1, 2, 3])
    #expect(NumberPublisher(1).append(Set([2])).record(demanding: .unlimited).values == [1, 2])
    #expect(NumberPublisher(1).append([2, 3].publisher).record(demanding: .unlimited).values == [1, 2, 3])
    #expect(NumberPublisher(1).prepend(2, 3).record(demanding: .unlimited).values == [2, 3, 1])
    #expect(NumberPublisher(1).prepend(Set([2])).record(demanding: .unlimited).values == [2, 1])
    #expect(NumberPublisher(1).prepend([2, 3].publisher).record(demanding: .unlimited).values == [2, 3, 1])
  }

  @Test("nest: a later append is last, a later prepend first")
  func nesting() {
    let recorder = NumberPublisher(0).append(1).append(2).prepend(-1).prepend(-2).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription] + [-2, -1, 0, 1, 2].map { .value($0) } + [.finished])
  }

  @Test("add a scalar publisher's value, which waits for demand and for the return of a delivery")
  func scalars() {
    for demand in [.unlimited, .max(2), .max(1)] as [Subscribers.Demand] {
      let first = ManualPublisher<Int, Never>()
      let recorder = first.append(Just(7)).record(demanding: demand)
      recorder.onValue = { (value: Int) -> Subscribers.Demand in
        if value == 1 { first.send(completion: .finished) }
        return .none
      }
      first.send(1)
      if demand == .max(1) {
        #expect(recorder.events == [.subscription, .value(1)])
        recorder.request(.max(1))
      }
      #expect(recorder.events == [.subscription, .value(1), .value(7), .finished])
    }
  }

  @Test("subscribe to the second when the first has finished, and request the remaining demand")
  func transfersDemand() {
    let first = ManualPublisher<Int, TestError>()
    let second = ManualPublisher<Int, TestError>()
    let recorder = first.append(second).record(demanding: .max(3))
    #expect(first.send(1) == .none)
    #expect(second.subscribers.isEmpty)
    first.send(completion: .finished)
    #expect(second.events == [.requested(.max(2))])
    recorder.request(.max(4))
    second.send(2)
    second.send(completion: .finished)
    #expect(first.events == [.requested(.max(3))])
    #expect(second.events == [.requested(.max(2)), .requested(.max(4))])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("prepend subscribes to its own upstream only when the other has finished")
  func prependWaits() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.prepend(8, 9).record(demanding: .max(1))
    #expect(source.subscribers.isEmpty)
    recorder.request(.max(1))
    #expect(source.events == [])
    #expect(source.subscribers.count == 1)
    recorder.request(.max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(8), .value(9), .value(1), .failed(.oops)])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("never subscribe to the second when the first fails")
  func firstFails() {
    let first = ManualPublisher<Int, TestError>()
    let second = ManualPublisher<Int, TestError>()
    let recorder = first.append(second).record()
    first.send(completion: .failure(.oops))
    #expect(second.subscribers.isEmpty)
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("cancel the active publisher, also before its subscription")
  func cancels() {
    let first = ManualPublisher<Int, TestError>()
    let second = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = first.append(second).record(demanding: .max(1))
    first.send(completion: .finished)
    recorder.cancel()
    #expect(first.events == [.requested(.max(1))])
    #expect(second.sendSubscription().events == [.cancelled])
    second.send(1)
    second.send(completion: .finished)
    #expect(recorder.events == [.subscription])
  }

  @Test("never subscribe to the second after a cancellation of the first")
  func cancelsFirst() {
    let first = ManualPublisher<Int, TestError>()
    let second = ManualPublisher<Int, TestError>()
    let recorder = first.append(second).record(demanding: .max(1))
    recorder.cancel()
    first.send(completion: .finished)
    #expect(first.events == [.requested(.max(1)), .cancelled])
    #expect(second.subscribers.isEmpty)
  }

  @Test("ignore events after the first publisher's completion, also a subscription")
  func misbehaving() {
    let first = ManualPublisher<Int, TestError>()
    let second = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = first.append(second).record(demanding: .max(1))
    first.send(completion: .finished)
    #expect(first.sendSubscription().events == [.cancelled])
    first.send(1)
    first.send(completion: .failure(.oops))
    #expect(second.sendSubscription().events == [.requested(.max(1))])
    second.send(2)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("forward demand that the delivery in which the first finishes returns")
  func finishesInsideADelivery() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 { subject.send(completion: .finished) }
      return .max(1)
    }
    subject.append(2, 3).subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("are equal for equal parts")
  func equality() {
    #expect(NumberPublisher(1).append(2) == NumberPublisher(1).append(2))
    #expect(NumberPublisher(1).append(2) != NumberPublisher(1).append(3))
  }
}

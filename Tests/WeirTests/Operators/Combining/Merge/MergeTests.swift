import Testing
import Weir

@testable import TestSupport

@Suite("merge")
struct MergeTests {
  typealias Source = ManualPublisher<Int, TestError>

  let a = Source()
  let b = Source()

  @Test("forwards values as they arrive, and finishes when all have")
  func merges() {
    let recorder = a.merge(with: b).record(demanding: .unlimited)
    a.send(1)
    b.send(2)
    a.send(3)
    a.send(completion: .finished)
    b.send(4)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .value(4), .finished])
    #expect(a.events == [.requested(.unlimited)])
    #expect(b.events == [.requested(.unlimited)])
  }

  @Test("requests one value ahead from each for finite demand, and the next after its delivery")
  func prefetches() {
    let recorder = a.merge(with: b).record(demanding: .max(1))
    #expect(a.events == [.requested(.max(1))])
    #expect(a.send(1) == .max(1))
    #expect(a.send(2) == .none)
    #expect(b.send(3) == .none)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(a.events == [.requested(.max(1)), .requested(.max(1))])
    #expect(b.events == [.requested(.max(1))])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
    #expect(a.events.last == .requested(.unlimited))
    #expect(b.events == [.requested(.max(1)), .requested(.unlimited)])
  }

  @Test("delivers a buffered value before the completion")
  func waitingBeforeTheEnd() {
    let recorder = a.merge(with: b).record()
    a.send(1)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("requests from synchronous upstreams in order, at the subscription or later")
  func order() {
    let merged = [1, 2].publisher.merge(with: [3, 4].publisher, [5, 6].publisher)
    #expect(merged.record(demanding: .unlimited).events == [.subscription] + (1...6).map { .value($0) } + [.finished])
    let later = merged.record()
    later.request(.unlimited)
    #expect(later.values == [1, 3, 5, 2, 4, 6])
    let bitByBit = merged.record()
    for _ in 0..<6 { bitByBit.request(.max(1)) }
    #expect(bitByBit.values.sorted() == [1, 2, 3, 4, 5, 6])
    #expect(bitByBit.isFinished)
  }

  @Test("returned demand delivers all values, one at a time")
  func returnedDemand() {
    let recorder = [1, 2, 3].publisher.merge(with: [4, 5].publisher).record(demanding: .max(1), returning: .max(1))
    #expect(recorder.values.sorted() == [1, 2, 3, 4, 5])
    #expect(recorder.isFinished)
  }

  @Test("a send into one upstream during the delivery of another follows that delivery")
  func nestedSend() {
    let recorder = a.merge(with: b).record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        b.send(2)
        b.send(completion: .finished)
        a.send(completion: .finished)
        #expect(recorder.values == [1])
      }
      return .none
    }
    a.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("a value that arrives during a delivery takes demand, and is answered with a request for the next")
  func answersDuringDelivery() {
    let recorder = a.merge(with: b).record(demanding: .max(3))
    var answers: [Subscribers.Demand] = []
    recorder.onValue = { value in
      if value == 1 { answers = [b.send(2), b.send(3), b.send(4)] }
      return .none
    }
    #expect(a.send(1) == .max(1))
    #expect(answers == [.max(1), .max(1), .none])
    #expect(recorder.values == [1, 2, 3])
    #expect(b.events == [.requested(.max(1))])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(b.events == [.requested(.max(1)), .requested(.max(1))])
    #expect(b.send(5) == .max(1))
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test("a value that has taken demand doesn't overtake one without demand")
  func answersInOrder() {
    let c = Source()
    let recorder = a.merge(with: b, c).record(demanding: .max(1))
    var answers: [Subscribers.Demand] = []
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      answers.append(b.send(2))
      recorder.request(.max(1))
      answers.append(c.send(3))
      return .none
    }
    a.send(1)
    #expect(answers == [.none, .max(1)])
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(b.events == [.requested(.max(1)), .requested(.max(1))])
    #expect(c.events == [.requested(.max(1))])
  }

  @Test("an upstream that fails before the others are subscribed to cancels their subscriptions")
  func failsAtOnce() {
    let merged = Fail<Int, TestError>(error: .oops).merge(with: a)
    #expect(merged.record().events == [.subscription, .failed(.oops)])
    #expect(a.events == [.cancelled])
  }

  @Test("a cancellation during the subscription requests no values from the upstreams")
  func cancelAtOnce() {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    a.merge(with: b).subscribe(recorder)
    #expect(recorder.events == [.subscription])
    #expect(a.subscribers.isEmpty && b.subscribers.isEmpty)
  }

  @Test("an endless upstream stops when the demand is exhausted")
  func endless() {
    let recorder = (1...).publisher.merge(with: (100...).publisher).prefix(3).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test("an empty MergeMany finishes immediately, and one of one is that one")
  func many() {
    #expect(Publishers.MergeMany<Just<Int>>([]).record().events == [.subscription, .finished])
    #expect(
      Publishers.MergeMany(Just(1)).record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
    #expect(
      Publishers.MergeMany([1, 2].map { Just($0) }).merge(with: Just(3)).record(demanding: .unlimited).values
        == [1, 2, 3])
  }

  @Test("all ways to merge two to eight publishers create one operator")
  func widths() {
    let p = (0..<8).map { Just($0) }
    let m2 = Publishers.Merge(p[0], p[1])
    let m3 = p[0].merge(with: p[1], p[2])
    let m4 = p[0].merge(with: p[1], p[2], p[3])
    let m5 = p[0].merge(with: p[1], p[2], p[3], p[4])
    let m6 = p[0].merge(with: p[1], p[2], p[3], p[4], p[5])
    let m7 = p[0].merge(with: p[1], p[2], p[3], p[4], p[5], p[6])
    let m8 = p[0].merge(with: p[1], p[2], p[3], p[4], p[5], p[6], p[7])
    let all: [AnyPublisher<Int, Never>] = [
      AnyPublisher(m2), AnyPublisher(m3), AnyPublisher(m4), AnyPublisher(m5), AnyPublisher(m6), AnyPublisher(m7),
      AnyPublisher(m8),
    ]
    #expect(all.map { $0.record(demanding: .unlimited).values } == (2...8).map { Array(0..<$0) })
    #expect(m2.merge(with: p[2]) == m3)
    #expect(m2.merge(with: p[2], p[3], p[4], p[5], p[6], p[7]) == m8)
    #expect(m4.merge(with: p[4]) == m5)
    #expect(m7.merge(with: p[7]) == m8)
    #expect(p[0].merge(with: p[1]) == Publishers.MergeMany([p[0], p[1]]))
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(a.merge(with: b).record().subscription.map { String(describing: $0) } == "Merge")
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("zip")
struct ZipTests {
  typealias Source = ManualPublisher<Int, TestError>

  let a = Source()
  let b = Source()

  func zipped() -> some Publisher<Int, TestError> {
    a.zip(b) { (a: Int, b: Int) -> Int in a * 10 + b }
  }

  @Test("pairs values by position, and buffers those of the faster publisher")
  func pairs() {
    let recorder = zipped().record(demanding: .unlimited)
    for value in 1...3 { a.send(value) }
    #expect(recorder.values == [])
    b.send(7)
    b.send(8)
    #expect(recorder.events == [.subscription, .value(17), .value(28)])
  }

  @Test("forwards demand to each, and buffers pairs until there is demand")
  func demand() {
    let recorder = zipped().record(demanding: .max(1))
    #expect(a.events == [.requested(.max(1))])
    #expect(b.events == [.requested(.max(1))])
    for value in 1...3 {
      a.send(value)
      b.send(value)
    }
    #expect(recorder.values == [11])
    recorder.request(.max(1))
    #expect(recorder.values == [11, 22])
    recorder.request(.unlimited)
    #expect(recorder.values == [11, 22, 33])
    #expect(a.events == [.requested(.max(1)), .requested(.max(1)), .requested(.unlimited)])
  }

  @Test("requests the demand that is returned for a pair from both")
  func returnedDemand() {
    _ = zipped().record(demanding: .max(1), returning: .max(2))
    #expect(a.send(1) == .none)
    #expect(b.send(1) == .max(2))
    #expect(a.events == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test("finishes when a side has finished and its values are paired, and cancels the other")
  func finishes() {
    let recorder = zipped().record(demanding: .unlimited)
    a.send(1)
    a.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    b.send(1)
    #expect(recorder.events == [.subscription, .value(11), .finished])
    #expect(a.events == [.requested(.unlimited)])
    #expect(b.events == [.requested(.unlimited), .cancelled])
  }

  @Test("finishes immediately when a side without buffered values finishes")
  func finishesAtOnce() {
    let recorder = zipped().record()
    a.send(1)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(a.events == [.cancelled])
  }

  @Test("a failure overtakes buffered pairs")
  func fails() {
    let recorder = zipped().record()
    a.send(1)
    b.send(1)
    a.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(a.events == [])
    #expect(b.events == [.cancelled])
  }

  @Test("requests nothing from the others if one fails while it answers a request")
  func failsInRequest() {
    let failing = Record<Int, TestError>(output: [1], completion: .failure(.oops))
    let sums = failing.zip(a, b) { (first: Int, a: Int, b: Int) -> Int in first + a + b }
    let recorder = sums.record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(a.events == [.cancelled])
    #expect(b.events == [.cancelled])
  }

  @Test("requests nothing from one that subscribed last, if another fails while it answers a request")
  func failsBeforeLast() {
    let late = ManualPublisher<Int, TestError>(subscribing: false)
    let failing = Record<Int, TestError>(output: [1], completion: .failure(.oops))
    let sums = late.zip(failing) { (late: Int, failing: Int) -> Int in late + failing }
    let recorder = sums.record(demanding: .unlimited)
    late.sendSubscription()
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(late.events == [.cancelled])
  }

  @Test("makes each request that arrives while one answers a request, in order")
  func demandInRequest() {
    let c = Source()
    let recorder = a.zip(b, c) { (a: Int, b: Int, c: Int) -> Int in a + b + c }.record(demanding: .none)
    a.subscriptions[0].onRequest = { [a, recorder] _ in
      a.subscriptions[0].onRequest = { _ in }
      for more in [2, 3, 3, 3, 1] { recorder.request(.max(more)) }
    }
    recorder.request(.max(1))
    for source in [a, b, c] { #expect(source.events == [1, 2, 3, 3, 3, 1].map { .requested(.max($0)) }) }
  }

  @Test("requests nothing from a publisher that finishes after the demand, while another answers a request")
  func finishesInRequest() {
    let c = Source()
    let recorder = a.zip(b, c) { (a: Int, b: Int, c: Int) -> Int in a + b + c }.record(demanding: .none)
    a.subscriptions[0].onRequest = { [a, b, recorder] _ in
      a.subscriptions[0].onRequest = { _ in }
      recorder.request(.max(2))
      b.send(1)
      b.send(completion: .finished)
    }
    recorder.request(.max(1))
    #expect(b.events == [])
    for source in [a, c] { #expect(source.events == [.requested(.max(1)), .requested(.max(2))]) }
  }

  @Test("requests nothing from a publisher that finishes in the delivery that brings the demand")
  func finishesInDelivery() {
    let recorder = zipped().record(demanding: .max(2))
    recorder.onValue = { _ in
      recorder.request(.max(1))
      b.send(2)
      a.send(completion: .finished)
      return .none
    }
    a.send(1)
    b.send(1)
    #expect(recorder.events == [.subscription, .value(11), .finished])
    #expect(a.events == [.requested(.max(2))])
    #expect(b.events == [.requested(.max(2)), .cancelled])
  }

  @Test("a re-entrant value makes its pair afterwards")
  func nested() {
    let recorder = zipped().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 11 {
        a.send(2)
        b.send(2)
        #expect(recorder.values == [11])
      }
      return .none
    }
    a.send(1)
    b.send(1)
    #expect(recorder.values == [11, 22])
  }

  @Test("pairs an endless publisher with a finite one")
  func endless() {
    let pairs = (1...).publisher.zip([7, 8].publisher) { (a: Int, b: Int) -> Int in a * 10 + b }
    let recorder = pairs.record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .value(17)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(17), .value(28), .finished])
  }

  @Test("zips three and four, with and without a transform")
  func widths() {
    let p = [[1, 10].publisher, [2, 20].publisher, [3, 30].publisher, [4, 40].publisher]
    let pair = p[0].zip(p[1]).map { (v: (Int, Int)) -> [Int] in [v.0, v.1] }
    let triple = p[0].zip(p[1], p[2]).map { (v: (Int, Int, Int)) -> [Int] in [v.0, v.1, v.2] }
    let four = p[0].zip(p[1], p[2], p[3]).map { (v: (Int, Int, Int, Int)) -> [Int] in [v.0, v.1, v.2, v.3] }
    let all = [1, 2, 3, 4]
    for (zipped, width) in [(AnyPublisher(pair), 2), (AnyPublisher(triple), 3), (AnyPublisher(four), 4)] {
      let group = Array(all.prefix(width))
      #expect(
        zipped.record(demanding: .max(2)).events == [
          .subscription, .value(group), .value(group.map { $0 * 10 }), .finished,
        ])
    }
    let sum3 = p[0].zip(p[1], p[2]) { (a: Int, b: Int, c: Int) -> Int in a + b + c }
    let sum4 = p[0].zip(p[1], p[2], p[3]) { (a: Int, b: Int, c: Int, d: Int) -> Int in a + b + c + d }
    #expect(sum3.record(demanding: .unlimited).values == [6, 60])
    #expect(sum4.record(demanding: .unlimited).values == [10, 100])
  }

  @Test("releases buffered values at a cancellation")
  func releases() {
    let (a, b) = (PassthroughSubject<Token, Never>(), PassthroughSubject<Token, Never>())
    let cancellable = a.zip(b).sink { (_: (Token, Token)) in }
    #expect(
      isReleased { token in
        a.send(token)
        cancellable.cancel()
      })
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(zipped().record().subscription.map { String(describing: $0) } == "Zip")
  }

  @Test("pairs values that a publisher sends during its subscription", arguments: [false, true])
  func valuesOnSubscription(_ isFirst: Bool) {
    let replaying = Replaying(values: [1, 2, 3])
    let numbers = (1...9).publisher
    var pairs: [[Int]] = []
    let subscription =
      isFirst
      ? replaying.zip(numbers).sink { (pair: (Int, Int)) in pairs.append([pair.0, pair.1]) }
      : numbers.zip(replaying).sink { (pair: (Int, Int)) in pairs.append([pair.0, pair.1]) }
    #expect(pairs == [[1, 1], [2, 2], [3, 3]])
    subscription.cancel()
  }
}

/// Sends its values at the subscription, without a request, as many hand-written publishers do.
struct Replaying: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let values: [Int]

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Subscriptions.empty)
    for value in values { _ = subscriber.receive(value) }
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("combineLatest")
struct CombineLatestTests {
  typealias Source = ManualPublisher<Int, TestError>

  let a = Source()
  let b = Source()

  func combined() -> some Publisher<Int, TestError> {
    a.combineLatest(b) { (a: Int, b: Int) -> Int in a * 10 + b }
  }

  @Test("sends a combination for each value, after all have sent one")
  func combines() {
    let recorder = combined().record(demanding: .unlimited)
    a.send(1)
    a.send(2)
    b.send(1)
    b.send(2)
    a.send(3)
    #expect(recorder.events == [.subscription, .value(21), .value(22), .value(32)])
  }

  @Test("keeps the last value of a finished publisher, and finishes with the last publisher")
  func finishes() {
    let recorder = combined().record(demanding: .unlimited)
    a.send(1)
    a.send(completion: .finished)
    b.send(1)
    b.send(2)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(11), .value(12), .finished])
    #expect(a.events == [.requested(.unlimited)])
    #expect(b.events == [.requested(.unlimited)])
  }

  @Test("forwards demand to each; the next combination replaces one without demand")
  func demand() {
    let recorder = combined().record(demanding: .max(2))
    #expect(a.events == [.requested(.max(2))])
    #expect(b.events == [.requested(.max(2))])
    a.send(1)
    b.send(1)
    b.send(2)
    b.send(3)
    b.send(4)
    #expect(recorder.values == [11, 12])
    recorder.request(.max(2))
    #expect(recorder.values == [11, 12, 14])
    #expect(a.events == [.requested(.max(2)), .requested(.max(2))])
    a.send(2)
    a.send(3)
    #expect(recorder.values == [11, 12, 14, 24])
  }

  @Test("returns the subscriber's demand to the sending upstream, and requests it from the other")
  func returnedDemand() {
    _ = combined().record(demanding: .max(1), returning: .max(1))
    #expect(a.send(1) == .none)
    #expect(b.send(1) == .max(1))
    #expect(a.events == [.requested(.max(1)), .requested(.max(1))])
    #expect(b.events == [.requested(.max(1))])
  }

  @Test("the subscription is passed on when all upstreams have passed theirs")
  func subscription() {
    let (a, b) = (Source(subscribing: false), Source(subscribing: false))
    let recorder = a.combineLatest(b) { (a: Int, b: Int) -> Int in a + b }.record(demanding: .max(1))
    b.sendSubscription()
    #expect(recorder.events == [])
    a.sendSubscription()
    #expect(recorder.events == [.subscription])
    #expect(a.events == [.requested(.max(1))])
    #expect(b.events == [.requested(.max(1))])
  }

  @Test("a re-entrant value makes its combination afterwards")
  func nested() {
    let recorder = combined().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 11 {
        a.send(2)
        b.send(2)
      }
      return .none
    }
    a.send(1)
    b.send(1)
    #expect(recorder.values == [11, 21, 22])
  }

  @Test("the first failure terminates it, before a buffered combination")
  func fails() {
    let recorder = combined().record()
    a.send(1)
    b.send(1)
    b.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(a.events == [.cancelled])
    #expect(b.events == [])
  }

  @Test("combines synchronous publishers: the latest of the first with each of the second")
  func synchronous() {
    let combined = [1, 2].publisher.combineLatest([3, 4].publisher) { (a: Int, b: Int) -> Int in a * 10 + b }
    #expect(combined.record(demanding: .unlimited).events == [.subscription, .value(23), .value(24), .finished])
  }

  @Test("combines values that a publisher sends during its subscription", arguments: [false, true])
  func valuesOnSubscription(_ isFirst: Bool) {
    let (replaying, numbers) = (Replaying(values: [1, 2, 3]), (1...3).publisher)
    let combined =
      isFirst
      ? replaying.combineLatest(numbers) { (a: Int, b: Int) -> Int in a * 10 + b }.eraseToAnyPublisher()
      : numbers.combineLatest(replaying) { (a: Int, b: Int) -> Int in b * 10 + a }.eraseToAnyPublisher()
    let recorder = combined.record(demanding: .unlimited)
    // The last subscription is followed by a request, so the numbers precede the replayed values.
    #expect(recorder.values == (isFirst ? [31, 32, 33] : [13, 23, 33]))
    recorder.cancel()
  }

  @Test("combines three and four, with and without a transform")
  func widths() {
    let p = [Just(1), Just(2), Just(3), Just(4)]
    let pair = p[0].combineLatest(p[1]).map { (v: (Int, Int)) -> [Int] in [v.0, v.1] }
    let triple = p[0].combineLatest(p[1], p[2]).map { (v: (Int, Int, Int)) -> [Int] in [v.0, v.1, v.2] }
    let four = p[0].combineLatest(p[1], p[2], p[3]).map { (v: (Int, Int, Int, Int)) -> [Int] in [v.0, v.1, v.2, v.3] }
    #expect(pair.record(demanding: .unlimited).events == [.subscription, .value([1, 2]), .finished])
    #expect(triple.record(demanding: .unlimited).events == [.subscription, .value([1, 2, 3]), .finished])
    #expect(four.record(demanding: .unlimited).events == [.subscription, .value([1, 2, 3, 4]), .finished])
    let sum3 = p[0].combineLatest(p[1], p[2]) { (a: Int, b: Int, c: Int) -> Int in a + b + c }
    let sum4 = p[0].combineLatest(p[1], p[2], p[3]) { (a: Int, b: Int, c: Int, d: Int) -> Int in a + b + c + d }
    #expect(sum3.record(demanding: .unlimited).values == [6])
    #expect(sum4.record(demanding: .unlimited).values == [10])
    #expect(p[0].combineLatest(p[1]) == Publishers.CombineLatest(p[0], p[1]))
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(combined().record().subscription.map { String(describing: $0) } == "CombineLatest")
  }
}

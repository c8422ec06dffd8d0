import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("withLatestFrom")
struct WithLatestFromTests {
  typealias Source = ManualPublisher<Int, TestError>

  let source = Source()
  let other = Source()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "WithLatestFrom") { source, token in
      source.withLatestFrom(Just(10).setFailureType(to: TestError.self)) { (a: Int, b: Int) -> Int in
        withExtendedLifetime(token) { a + b }
      }
    }
  }

  @Test("sends the other's latest value with each value")
  func values() {
    let recorder = source.withLatestFrom(other) { (a: Int, b: Int) -> [Int] in [a, b] }.record(demanding: .unlimited)
    source.send(1)
    other.send(10)
    other.send(11)
    source.send(2)
    source.send(3)
    other.send(12)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([2, 11]), .value([3, 11]), .finished])
    #expect(other.events == [.requested(.unlimited), .cancelled])
  }

  @Test("sends only the other's values without a closure")
  func valuesAlone() {
    let recorder = source.withLatestFrom(other).record(demanding: .unlimited)
    other.send(10)
    source.send(1)
    source.send(2)
    #expect(recorder.values == [10, 10])
  }

  @Test("forwards demand, and requests one more for a value without a counterpart")
  func demand() {
    let recorder = source.withLatestFrom(other).record(demanding: .max(2))
    #expect(other.events == [.requested(.unlimited)])
    #expect(source.events == [.requested(.max(2))])
    #expect(source.send(1) == .max(1))
    other.send(10)
    #expect(source.send(2) == .none)
    recorder.onValue = { _ in .max(3) }
    #expect(source.send(3) == .max(3))
    #expect(recorder.values == [10, 10])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("requests from the other first, so that a synchronous value is never too late")
  func synchronous() {
    let publisher = [1, 2, 3].lazy.publisher.withLatestFrom([7, 8].lazy.publisher) { (a: Int, b: Int) in a * b }
    #expect(
      publisher.record(demanding: .unlimited).events == [.subscription, .value(8), .value(16), .value(24), .finished])
  }

  @Test("ignores the other's finish after a value, and finishes with it if the other had no value")
  func otherFinishes() {
    let after = source.withLatestFrom(other).record(demanding: .unlimited)
    other.send(10)
    other.send(completion: .finished)
    source.send(1)
    #expect(after.events == [.subscription, .value(10)])
    let (second, silent) = (Source(), Source())
    let before = second.withLatestFrom(silent).record(demanding: .unlimited)
    silent.send(completion: .finished)
    #expect(before.events == [.subscription, .finished])
    #expect(second.events == [.requested(.unlimited), .cancelled])
    let empty = Source()
    let atOnce = empty.withLatestFrom(Empty<Int, TestError>()).record(demanding: .unlimited)
    #expect(atOnce.events == [.subscription, .finished])
    #expect(empty.isCancelledOnce)
  }

  @Test("the failure of either fails the operator and cancels the other")
  func failures() {
    let recorder = source.withLatestFrom(other).record(demanding: .unlimited)
    other.send(10)
    other.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(source.isCancelledOnce)
    let (second, third) = (Source(), Source())
    let failing = second.withLatestFrom(third).record(demanding: .unlimited)
    second.send(completion: .failure(.other))
    #expect(failing.events == [.subscription, .failed(.other)])
    #expect(third.isCancelledOnce)
  }

  @Test("cancellation reaches both publishers")
  func cancels() {
    let recorder = source.withLatestFrom(other).record(demanding: .unlimited)
    recorder.cancel()
    recorder.cancel()
    #expect(source.isCancelledOnce)
    #expect(other.isCancelledOnce)
    other.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription])
  }

  @Test("waits for values of all two or three others")
  func several() {
    let (a, b, c) = (Source(), Source(), Source())
    let two = source.withLatestFrom(a, b) { (x: Int, y: Int, z: Int) -> [Int] in [x, y, z] }
      .record(demanding: .unlimited)
    let three = other.withLatestFrom(a, b, c) { (x: Int, y: Int, z: Int, w: Int) -> [Int] in [x, y, z, w] }
      .record(demanding: .unlimited)
    let pairs = source.withLatestFrom(a, b).map { (pair: (Int, Int)) -> Int in pair.0 + pair.1 }
      .record(demanding: .unlimited)
    let triples = other.withLatestFrom(a, b, c).map { (all: (Int, Int, Int)) -> Int in all.0 + all.1 + all.2 }
      .record(demanding: .unlimited)
    for index in 0..<4 { a.send(1, to: index) }
    source.send(0)
    for index in 0..<4 { b.send(2, to: index) }
    for index in 0..<2 { c.send(3, to: index) }
    for index in 0..<2 {
      source.send(9, to: index)
      other.send(8, to: index)
    }
    #expect(two.values == [[9, 1, 2]])
    #expect(three.values == [[8, 1, 2, 3]])
    #expect(pairs.values == [3])
    #expect(triples.values == [6])
  }

  @Test("keeps one of the values that the other sends while the subscriber is busy")
  func bound() {
    let count = LiveValues()
    let other = PassthroughSubject<Counted, TestError>()
    let recorder = source.withLatestFrom(other) { (_: Int, b: Counted) -> Int in b.number }.record(
      demanding: .unlimited)
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 0 { onAnotherThread { for number in 1...1_000 { other.send(Counted(number, count)) } } }
      return .none
    }
    other.send(Counted(0, count))
    source.send(1)
    source.send(2)
    #expect(recorder.values == [0, 1_000])
    #expect(count.highest <= 4)
    recorder.cancel()
    #expect(count.now == 0)
  }

  @Test("loses no value when both send concurrently")
  func races() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = first.withLatestFrom(second) { (a: Int, b: Int) -> Int in a }.record(demanding: .unlimited)
    second.send(0)
    race({ for value in 0..<2000 { first.send(value) } }, { for value in 0..<2000 { second.send(value) } })
    #expect(recorder.values == Array(0..<2000))
  }

  @Test("finishes with the source if the other has sent no subscription", arguments: [true, false])
  func endsEarly(_ fails: Bool) {
    let late = ManualPublisher<Int, TestError>(subscribing: false)
    let source = Record<Int, TestError>(output: [], completion: fails ? .failure(.oops) : .finished)
    let recorder = source.withLatestFrom(late).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, fails ? .failed(.oops) : .finished])
    #expect(late.sendSubscription().events == [.cancelled])
    late.send(1)
    #expect(recorder.events.count == 2)
  }

  @Test("releases its values when the other sends its subscription after the completion")
  func releases() {
    let late = ManualPublisher<Int, TestError>(subscribing: false)
    let isGone = isReleased { token in
      let source = Empty<Int, TestError>().handleEvents(receiveOutput: { _ in withExtendedLifetime(token) {} })
      let recorder = source.withLatestFrom(late).record(demanding: .unlimited)
      #expect(recorder.isFinished)
      late.releaseSubscribers()
    }
    #expect(isGone)
  }
}

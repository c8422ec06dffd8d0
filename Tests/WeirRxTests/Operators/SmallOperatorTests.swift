import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("pairwise, nwise, enumerated, distinct, take(until:), toggle, partition, ignoreFailure")
struct SmallOperatorTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("conform to the operator contract")
  func rules() {
    func keep(_ token: Token) -> (Int) -> Int { { value in withExtendedLifetime(token) { value } } }
    checkCommonRules(named: "Pairwise") { source, token in
      source.map(keep(token)).pairwise().map { (pair: (Int, Int)) -> [Int] in [pair.0, pair.1] }
    }
    checkCommonRules(named: "Nwise") { source, token in source.map(keep(token)).nwise(3) }
    checkCommonRules(named: "Enumerated") { source, token in
      source.map(keep(token)).enumerated().map { (pair: (index: Int, element: Int)) -> [Int] in [pair.0, pair.1] }
    }
    checkCommonRules(named: "Distinct") { source, token in source.distinct(by: keep(token)) }
    checkCommonRules(named: "TakeUntil") { source, token in
      source.take(until: { (value: Int) -> Bool in keep(token)(value) > 3 }, behavior: .inclusive)
    }
    checkCommonRules(named: "TakeUntil") { source, token in
      source.take(until: { (value: Int) -> Bool in keep(token)(value) > 3 })
    }
  }

  @Test("pairwise sends each value with the previous one, and requests one more for the first")
  func pairs() {
    let recorder = source.pairwise().map { (pair: (Int, Int)) -> [Int] in [pair.0, pair.1] }.record(demanding: .max(2))
    #expect(source.events == [.requested(.max(2))])
    #expect([1, 2, 3].map { source.send($0) } == [.max(1), .none, .none])
    #expect(recorder.values == [[1, 2], [2, 3]])
  }

  @Test("nwise sends overlapping arrays of values", arguments: [1, 2, 4, 7])
  func arrays(_ size: Int) {
    let recorder = (0..<6).lazy.publisher.nwise(size).record(demanding: .unlimited)
    #expect(recorder.values == (0..<max(0, 7 - size)).map { Array($0..<($0 + size)) })
    #expect(recorder.isFinished)
  }

  @Test("nwise requires a positive size")
  func badSize() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).nwise(0) }
  }

  @Test("enumerated counts from 0, for each subscriber")
  func numbers() {
    let publisher = ["a", "b"].lazy.publisher.enumerated().map { (pair: (index: Int, element: String)) -> String in
      "\(pair.index)\(pair.element)"
    }
    for _ in 0..<2 { #expect(publisher.record(demanding: .unlimited).values == ["0a", "1b"]) }
  }

  @Test("distinct filters out repeated values, and requests one more for each")
  func distinct() {
    let recorder = source.distinct().record(demanding: .max(9))
    #expect([1, 2, 1, 3, 2].map { source.send($0) } == [.none, .none, .max(1), .none, .max(1)])
    #expect(recorder.values == [1, 2, 3])
    let byKey = (1...9).lazy.publisher.distinct { (value: Int) -> Int in value % 3 }.record(demanding: .unlimited)
    #expect(byKey.values == [1, 2, 3])
  }

  @Test("take(until:) completes before or with the first value that matches a predicate")
  func takes() {
    let before = source.take { (value: Int) -> Bool in value == 2 }.record(demanding: .unlimited)
    let with = source.take(until: { (value: Int) -> Bool in value == 2 }, behavior: .inclusive)
      .record(demanding: .unlimited)
    for index in 0..<2 {
      source.send(1, to: index)
      source.send(2, to: index)
      source.send(1, to: index)
    }
    #expect(before.events == [.subscription, .value(1), .finished])
    #expect(with.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.subscriptions.allSatisfy { $0.events == [.requested(.unlimited), .cancelled] })
  }

  @Test("take(until:) with a publisher is prefix(untilOutputFrom:)")
  func takesUntilOutput() {
    let other = ManualPublisher<Int, Never>()
    let recorder = source.take(until: other).record(demanding: .unlimited)
    source.send(1)
    other.send(0)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.isCancelledOnce)
  }

  @Test("toggle sends the opposite")
  func toggles() {
    #expect([true, false].lazy.publisher.toggle().record(demanding: .unlimited).values == [false, true])
  }

  @Test("partition makes two publishers, each with its own subscription and demand")
  func partitions() {
    let (even, odd) = source.partition { (value: Int) -> Bool in value % 2 == 0 }
    let evens = even.record(demanding: .max(1))
    let odds = odd.record(demanding: .unlimited)
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(1))], [.requested(.unlimited)]])
    #expect(source.send(1) == .max(1))
    source.send(2)
    source.send(1, to: 1)
    source.send(2, to: 1)
    source.send(completion: .finished)
    source.send(completion: .failure(.oops), to: 1)
    #expect(evens.events == [.subscription, .value(2), .finished])
    #expect(odds.events == [.subscription, .value(1), .failed(.oops)])
  }

  @Test("ignoreFailure finishes instead of failing, or never completes")
  func ignoresFailure() {
    let ends = source.ignoreFailure().record(demanding: .unlimited)
    let hangs = source.ignoreFailure(completeImmediately: false).record(demanding: .unlimited)
    for index in 0..<2 {
      source.send(1, to: index)
      source.send(completion: .failure(.oops), to: index)
    }
    #expect(ends.events == [.subscription, .value(1), .finished])
    #expect(hangs.events == [.subscription, .value(1)])
    #expect([1].lazy.publisher.ignoreFailure(completeImmediately: false).record(demanding: .unlimited).isFinished)
  }
}

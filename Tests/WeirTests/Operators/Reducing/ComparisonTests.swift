import Testing
import Weir

@testable import TestSupport

@Suite("min, max")
struct ComparisonTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Comparison") { source, token in
      source.max { (a: Int, b: Int) -> Bool in withExtendedLifetime(token) { a < b } }
    }
    checkCommonRules(named: "Comparison") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.min()
    }
  }

  @Test("requests unlimited demand, and sends its value when the upstream finishes")
  func greatest() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.max().record(demanding: .max(1), returning: .max(9))
    for value in [2, 3, 1] { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(3), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("finds the minimum and the maximum, by a closure if there is one")
  func finds() {
    let source = [2, 3, 1].lazy.publisher
    #expect(
      Publishers.Map(upstream: source) { (value: Int) -> Int in value }.min().record(demanding: .max(1)).values == [1])
    #expect(
      Publishers.Map(upstream: source) { (value: Int) -> Int in value }.max().record(demanding: .max(1)).values == [3])
    let words = ["three", "one", "six"].lazy.publisher.map { (word: String) -> String in word }
    let shortest = words.min { (a: String, b: String) -> Bool in a.count < b.count }
    let longest = words.max { (a: String, b: String) -> Bool in a.count < b.count }
    #expect(shortest.record(demanding: .max(1)).values == ["one"])
    #expect(longest.record(demanding: .max(1)).values == ["three"])
    let alike = words.max { (_: String, _: String) -> Bool in false }
    #expect(alike.record(demanding: .max(1)).values == ["three"])
  }

  @Test("calls its closure with the best value and the new one, in reverse order for the minimum")
  func arguments() {
    var calls: [[Int]] = []
    let source = ManualPublisher<Int, TestError>()
    let greatest = source.max { (a: Int, b: Int) -> Bool in
      calls.append([a, b])
      return a < b
    }.record()
    for value in [2, 1, 3] { source.send(value) }
    #expect(calls == [[2, 1], [2, 3]])
    calls = []
    let other = ManualPublisher<Int, TestError>()
    let least = other.min { (a: Int, b: Int) -> Bool in
      calls.append([a, b])
      return a < b
    }.record()
    for value in [2, 1, 3] { other.send(value) }
    #expect(calls == [[1, 2], [3, 1]])
    withExtendedLifetime((greatest, least)) {}
  }

  @Test("finishes without a value if there is none, and drops the value if the upstream fails")
  func none() {
    let empty = ManualPublisher<Int, TestError>()
    let recorder = empty.max().record()
    empty.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    let failing = ManualPublisher<Int, TestError>()
    let other = failing.min().record(demanding: .unlimited)
    failing.send(1)
    failing.send(completion: .failure(.oops))
    #expect(other.events == [.subscription, .failed(.oops)])
  }
}

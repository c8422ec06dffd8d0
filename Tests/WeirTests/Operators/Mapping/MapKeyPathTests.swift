import Testing
import Weir

@testable import TestSupport

@Suite("map to key paths")
struct MapKeyPathTests {
  struct Point {
    var x: Int
    var y: Int
    var name: String
  }

  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.eraseToAnyPublisher()
        .map(\.magnitude)
    }
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.map(\.magnitude, \.description)
        .map { (pair: (UInt, String)) -> String in "\(pair)" }
    }
  }

  @Test("sends one part of each value, and forwards demand and the completion unchanged")
  func one() {
    let source = ManualPublisher<Point, TestError>()
    let mapped: Publishers.MapKeyPath<ManualPublisher<Point, TestError>, String> = source.map(\.name)
    #expect(mapped.keyPath == \.name)
    let recorder = mapped.record(demanding: .max(2), returning: .max(3))
    #expect(source.send(Point(x: 1, y: 2, name: "a")) == .max(3))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value("a"), .failed(.oops)])
    #expect(source.events == [.requested(.max(2))])
    #expect(String(describing: source.subscribers[0]) == "ValueForKey")
  }

  @Test("sends two parts of each value")
  func two() {
    let source = ManualPublisher<Point, TestError>()
    let mapped = source.map(\.x, \.y)
    #expect(mapped.keyPath0 == \.x)
    #expect(mapped.keyPath1 == \.y)
    let recorder = mapped.map { (pair: (Int, Int)) -> [Int] in [pair.0, pair.1] }.record(
      demanding: .max(1), returning: .max(2))
    #expect(source.send(Point(x: 1, y: 2, name: "a")) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 2]), .finished])
    #expect(source.events == [.requested(.max(1))])
    #expect(String(describing: source.subscribers[0]) == "ValueForKeys")
  }

  @Test("sends three parts of each value")
  func three() {
    let source = ManualPublisher<Point, TestError>()
    let mapped = source.map(\.x, \.y, \.name)
    #expect(mapped.keyPath0 == \.x)
    #expect(mapped.keyPath1 == \.y)
    #expect(mapped.keyPath2 == \.name)
    let recorder = mapped.map { (parts: (Int, Int, String)) -> String in "\(parts)" }.record(demanding: .max(1))
    #expect(source.send(Point(x: 1, y: 2, name: "a")) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(#"(1, 2, "a")"#), .finished])
    #expect(String(describing: source.subscribers[0]) == "ValueForKeys")
  }
}

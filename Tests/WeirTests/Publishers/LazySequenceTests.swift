import Testing
import Weir

@testable import TestSupport

/// Numbers that are computed one by one.
typealias LazyNumbers = LazySequence<UnfoldSequence<Int, Int>>

@Suite("The publisher of a lazy sequence")
struct LazySequenceTests {
  /// An operator, and its result for the numbers from 1 on.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let values: [Int]
    /// The number of elements that it takes from the sequence for these.
    let pulled: Int
    let operation: @Sendable (LazyNumbers) -> AnyPublisher<Int, Never>

    init(
      _ name: String, sending values: [Int], pulling pulled: Int,
      _ operation: @escaping @Sendable (LazyNumbers) -> any Publisher<Int, Never>
    ) {
      testDescription = name
      self.values = values
      self.pulled = pulled
      self.operation = { operation($0).eraseToAnyPublisher() }
    }
  }

  /// Operators that would never return if they iterated over the sequence at assembly or at the subscription.
  static let endless: [Case] = [
    Case("map", sending: [2, 4], pulling: 3) { $0.publisher.map(double) },
    Case("compactMap", sending: [1, 2], pulling: 5) { $0.publisher.compactMap(half) },
    Case("replaceNil", sending: [7, 1], pulling: 3) { $0.map(half).publisher.replaceNil(with: 7) },
    Case("scan", sending: [1, 12], pulling: 3) { $0.publisher.scan(0, digits) },
    Case("setFailureType", sending: [2, 4], pulling: 3) {
      $0.publisher.setFailureType(to: TestError.self).map(double).assertNoFailure()
    },
    Case("filter", sending: [2, 4], pulling: 5) { $0.publisher.filter(isEven) },
    Case("removeDuplicates", sending: [0, 1], pulling: 3) {
      $0.map { (n: Int) -> Int in n / 2 }.publisher.removeDuplicates()
    },
    Case("prefix(_:)", sending: [1, 2], pulling: 3) { $0.publisher.prefix(3) },
    Case("prefix(while:)", sending: [1, 2], pulling: 3) { $0.publisher.prefix { (n: Int) -> Bool in n > 0 } },
    Case("dropFirst", sending: [4, 5], pulling: 6) { $0.publisher.dropFirst(3) },
    Case("drop(while:)", sending: [3, 4], pulling: 5) { $0.publisher.drop { (n: Int) -> Bool in n < 3 } },
    Case("output(in:)", sending: [2, 3], pulling: 4) { $0.publisher.output(in: 1..<9) },
    Case("output(at:)", sending: [3], pulling: 3) { $0.publisher.output(at: 2) },
    Case("first", sending: [1], pulling: 1) { $0.publisher.first() },
    Case("first(where:)", sending: [2], pulling: 2) { $0.publisher.first(where: isEven) },
    Case("contains", sending: [1], pulling: 3) { $0.publisher.contains(3).map { $0 ? 1 : 0 } },
    Case("contains(where:)", sending: [1], pulling: 2) { $0.publisher.contains(where: isEven).map { $0 ? 1 : 0 } },
    Case("tryContains", sending: [1], pulling: 2) {
      $0.publisher.tryContains(where: isEven).map { $0 ? 1 : 0 }.assertNoFailure()
    },
    Case("allSatisfy", sending: [0], pulling: 1) { $0.publisher.allSatisfy(isEven).map { $0 ? 1 : 0 } },
    Case("tryAllSatisfy", sending: [0], pulling: 1) {
      $0.publisher.tryAllSatisfy(isEven).map { $0 ? 1 : 0 }.assertNoFailure()
    },
    Case("append", sending: [1, 2], pulling: 3) { $0.publisher.append(7) },
    Case("prepend", sending: [7, 1], pulling: 2) { $0.publisher.prepend(7) },
  ]

  @Test("works on demand, also for an endless sequence", arguments: endless)
  func onDemand(_ operation: Case) {
    let pulled = Box(0)
    let numbers = sequence(state: 0) { (number: inout Int) -> Int? in
      number += 1
      pulled.value += 1
      return number
    }
    let publisher = operation.operation(numbers.lazy)
    #expect(pulled.value == 0)
    let recorder = publisher.record(demanding: .max(2))
    #expect(recorder.values == operation.values)
    #expect(pulled.value == operation.pulled)
    recorder.cancel()
  }

  /// Operators that need all elements.
  static let whole: [Case] = [
    Case("collect", sending: [3], pulling: 3) { $0.publisher.collect().map(\.count) },
    Case("count", sending: [3], pulling: 3) { $0.publisher.count() },
    Case("reduce", sending: [123], pulling: 3) { $0.publisher.reduce(0, digits) },
    Case("tryReduce", sending: [123], pulling: 3) { $0.publisher.tryReduce(0, digits).assertNoFailure() },
    Case("min", sending: [1], pulling: 3) { $0.publisher.min() },
    Case("min(by:)", sending: [3], pulling: 3) { $0.publisher.min { (a: Int, b: Int) -> Bool in a > b } },
    Case("max", sending: [3], pulling: 3) { $0.publisher.max() },
    Case("max(by:)", sending: [1], pulling: 3) { $0.publisher.max { (a: Int, b: Int) -> Bool in a > b } },
    Case("last", sending: [3], pulling: 3) { $0.publisher.last() },
    Case("last(where:)", sending: [2], pulling: 3) { $0.publisher.last(where: isEven) },
    Case("ignoreOutput", sending: [], pulling: 3) { $0.publisher.ignoreOutput().map { (_: Never) -> Int in } },
  ]

  @Test("takes no element before there is a subscriber, also if all are needed", arguments: whole)
  func onSubscription(_ operation: Case) {
    let pulled = Box(0)
    let numbers = sequence(state: 0) { (number: inout Int) -> Int? in
      if number == 3 { return nil }
      number += 1
      pulled.value += 1
      return number
    }
    let publisher = operation.operation(numbers.lazy)
    #expect(pulled.value == 0)
    #expect(publisher.record(demanding: .max(2)).values == operation.values)
    #expect(pulled.value == operation.pulled)
  }

  @Test("works on demand for a range without an end")
  func range() {
    let recorder = (1...).lazy.publisher.filter { $0 % 3 == 0 }.map { $0 * 2 }.record(demanding: .max(2))
    #expect(recorder.events == [.subscription, .value(6), .value(12)])
    #expect(recorder.subscription.map { String(describing: $0) } == "Sequence")
    recorder.request(.max(1))
    #expect(recorder.values == [6, 12, 18])
  }

  @Test("is the operator of a sequence if the type requires that")
  func spelledOut() {
    let publisher: Publishers.Sequence<LazySequence<Range<Int>>, Never> = (0..<3).lazy.publisher
    #expect(publisher.map(double) == [0, 2, 4].publisher)
    #expect((0..<3).lazy.publisher.sequence.count == 3)
  }
}

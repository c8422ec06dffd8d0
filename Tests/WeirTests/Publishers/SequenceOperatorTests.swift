import Testing
import Weir

@testable import TestSupport

@Suite("The operators of Sequence.publisher")
struct SequenceOperatorTests {
  private let numbers = (1..<6).publisher
  private let failing = (1..<6).publisher.setFailureType(to: TestError.self)
  private let nothing = EmptyCollection<Int>().publisher

  @Test("map to a publisher of an array")
  func mapping() {
    #expect(numbers.map(double) == [2, 4, 6, 8, 10].publisher)
    #expect(numbers.compactMap(half) == [1, 2].publisher)
    #expect(numbers.scan(1, digits) == [11, 112, 1123, 11234, 112345].publisher)
    #expect([1, nil].publisher.replaceNil(with: 7) == [Int?.some(1), 7].publisher)
    #expect([1, nil].publisher.replaceNil(with: 7).map(double).record(demanding: .unlimited).values == [2, 14])
    #expect(failing == Publishers.Sequence<Range<Int>, TestError>(sequence: 1..<6))
    #expect(["a", "bb"].publisher.map(\.count).record(demanding: .unlimited).values == [1, 2])
  }

  @Test("filter to a publisher of an array")
  func filtering() {
    #expect(numbers.filter(isEven) == [2, 4].publisher)
    #expect([1, 1, 2, 1, 1].publisher.removeDuplicates() == [1, 2, 1].publisher)
    #expect([nil, nil, 1, nil].publisher.removeDuplicates() == [Int?.none, 1, nil].publisher)
    #expect(numbers.ignoreOutput() == Empty<Int, Never>())
    #expect(numbers.prefix { (n: Int) -> Bool in n < 3 } == [1, 2].publisher)
    #expect(Array(numbers.drop { (n: Int) -> Bool in n < 3 }.sequence) == [3, 4, 5])
  }

  /// The elements of an array are read in place; those of other sequences are read by an iterator.
  @Test("map and filter arrays, slices and other sequences alike", arguments: [0, 1, 5])
  func storage(count: Int) {
    func verify(_ elements: some Sequence<Int>) {
      let (all, numbers) = (Array(0..<count), elements.publisher)
      #expect(numbers.map(double).sequence == all.map(double))
      #expect(numbers.compactMap(half).sequence == all.compactMap(half))
      #expect(numbers.filter(isEven).sequence == all.filter(isEven))
    }
    verify(0..<count)
    verify(Array(0..<count))
    verify(Array(-2..<count + 2).dropFirst(2).dropLast(2))
    verify(AnySequence(0..<count))
    verify(ContiguousArray(0..<count).lazy.map { (n: Int) -> Int in n })
  }

  /// Elements that a lock protects while their storage is read.
  private final class Guarded: Sequence {
    private var elements: [Int]
    private var isLocked = false

    init(_ elements: [Int]) {
      self.elements = elements
    }

    func append(_ element: Int) {
      #expect(!isLocked)
      elements.append(element)
    }

    func makeIterator() -> IndexingIterator<[Int]> { elements.makeIterator() }

    func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<Int>) throws -> R) rethrows -> R? {
      isLocked = true
      defer { isLocked = false }
      return try elements.withUnsafeBufferPointer(body)
    }
  }

  @Test("closures never run while a sequence gives access to its storage")
  func ownStorage() {
    let guarded = Guarded([1, 2, 3])
    let grows: (Int) -> Bool = {
      guarded.append($0)
      return true
    }
    #expect(guarded.publisher.map(grows).sequence == [true, true, true])
    #expect(guarded.publisher.filter(grows).sequence.count == 6)
    #expect(guarded.publisher.compactMap(grows).sequence.count == 12)
  }

  @Test("objects that are mapped and filtered are released")
  func objects() {
    final class Object {}
    weak var object: Object?
    do {
      let publisher = [Object(), Object()].publisher.map { ($0, Object()) }.filter { _, _ in true }.compactMap { $0.1 }
      object = publisher.sequence.last
      #expect(object != nil)
    }
    #expect(object == nil)
  }

  @Test("reduce to a publisher of one value")
  func reducing() {
    #expect(numbers.collect() == Result<[Int], Never>.Publisher([1, 2, 3, 4, 5]))
    #expect(nothing.collect() == Result<[Int], Never>.Publisher([]))
    #expect(numbers.reduce(9, digits) == Result<Int, Never>.Publisher(912345))
    #expect(nothing.reduce(9, uncalled) == Result<Int, Never>.Publisher(9))
    #expect(failing.reduce(9, digits) == Result<Int, TestError>.Publisher(912345))
  }

  @Test("count with the collection's own method")
  func counting() {
    #expect((0..<Int.max).publisher.count() == Just(.max))
    #expect(failing.count() == Result<Int, TestError>.Publisher(5))
    #expect(Set([1, 2]).publisher.count() == Result<Int, Never>.Publisher(2))
  }

  @Test("compare to a publisher of one value or none")
  func comparing() {
    let scattered = [3, 1, 2].publisher
    let ends: [Optional<Int>.Publisher] = [scattered.min(), scattered.max()]
    #expect(ends == [Optional(1).publisher, Optional(3).publisher])
    let reversedEnds: [Optional<Int>.Publisher] = [scattered.min(by: >), scattered.max(by: >)]
    #expect(reversedEnds == [Optional(3).publisher, Optional(1).publisher])
    #expect([nothing.min(), nothing.max(by: uncalled)] == [Int?.none.publisher, Int?.none.publisher])
  }

  @Test("match to a publisher of one value")
  func matching() {
    let (yes, no) = (Result<Bool, Never>.Publisher(true), Result<Bool, Never>.Publisher(false))
    #expect([numbers.contains(5), numbers.contains(6)] == [yes, no])
    #expect([numbers.contains(where: isEven), nothing.contains(where: isEven)] == [yes, no])
    #expect([numbers.allSatisfy(isEven), nothing.allSatisfy(isEven)] == [no, yes])
  }

  @Test("select elements")
  func selecting() {
    #expect(Array(numbers.prefix(2).sequence) == [1, 2])
    #expect(Array(numbers.dropFirst().sequence) == [2, 3, 4, 5])
    #expect(Array(numbers.dropFirst(4).sequence) == [5])
    #expect([numbers.first(), nothing.first()] == [Optional(1).publisher, Int?.none.publisher])
    #expect([numbers.last(), nothing.last()] == [Optional(5).publisher, Int?.none.publisher])
    #expect([numbers.first(where: isEven), numbers.last(where: isEven)] == [2, 4].map { Optional($0).publisher })
    #expect([nothing.first(where: isEven), nothing.last(where: isEven)].allSatisfy { $0.output == nil })
  }

  @Test("select by the collection's own indices")
  func indices() {
    let letters = "abc".publisher
    let second = "abc".index(after: "abc".startIndex)
    #expect(letters.output(at: second) == Optional("b").publisher)
    #expect(letters.output(at: "abc".endIndex) == Character?.none.publisher)
    #expect(letters.output(in: second..<"abc".endIndex) == ["b", "c"].publisher)
    let array = [7, 8, 9].publisher
    let single: [Optional<Int>.Publisher] = [array.output(at: 1), array.output(at: 3), array.output(at: -1)]
    #expect(single == [8, nil, nil].map { (n: Int?) in n.publisher })
    #expect(array.output(in: 1..<3) == [8, 9].publisher)
    // The operator for every publisher, which counts from 0.
    #expect([7, 8, 9][1...].publisher.output(in: 1...).record(demanding: .unlimited).values == [9])
  }

  @Test("add elements before and after")
  func combining() {
    let array = [1, 2].publisher
    #expect(
      [array.append(3, 4), array.append(3..<5), array.append([3, 4].publisher)].allSatisfy {
        $0 == [1, 2, 3, 4].publisher
      })
    #expect(
      [array.prepend(3, 4), array.prepend(3..<5), array.prepend([3, 4].publisher)].allSatisfy {
        $0 == [3, 4, 1, 2].publisher
      })
  }

  @Test("turn a closure's error into a failure")
  func throwingClosures() {
    let combine = { (a: Int, b: Int) throws -> Int in try throwing(a, b) }
    #expect(numbers.tryReduce(0, combine).record().events == [.subscription, .failed(.oops)])
    #expect(nothing.tryReduce(9, combine).record(demanding: .max(1)).values == [9])
    #expect(numbers.tryReduce(9, digits).record(demanding: .max(1)).values == [912345])
    #expect(numbers.tryContains(where: throwing).record().events == [.subscription, .failed(.oops)])
    #expect(numbers.tryContains(where: isEven).record(demanding: .max(1)).values == [true])
    #expect(numbers.tryAllSatisfy(throwing).record().events == [.subscription, .failed(.oops)])
    #expect(numbers.tryAllSatisfy(isEven).record(demanding: .max(1)).values == [false])
  }

  @Test("call their closure at assembly, once for all subscribers")
  func calledOnce() {
    var calls = 0
    let mapped = [1, 2].publisher.map { (number: Int) -> Int in
      calls += 1
      return number
    }
    #expect(calls == 2)
    #expect(mapped.record(demanding: .max(1)).values + mapped.record(demanding: .max(2)).values == [1, 1, 2])
    #expect(calls == 2)
  }

  @Test("make publishers that buffer their values until there is demand")
  func demand() {
    let recorder = numbers.map(double).dropFirst().prefix(3).record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .value(4)])
    recorder.request(.max(2))
    #expect(recorder.events == [.subscription, .value(4), .value(6), .value(8), .finished])
    checkSendsSevenAndFinishes(named: "Once", [3, 4].publisher.reduce(0) { (a: Int, b: Int) -> Int in a + b })
    checkSendsSevenAndFinishes(named: "Optional", [3, 7].publisher.max())
    checkSendsSevenAndFinishes(named: "Just", (0..<7).publisher.count())
  }

  @Test("reject a negative length or count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.dropFirst(-1) }
  }
}

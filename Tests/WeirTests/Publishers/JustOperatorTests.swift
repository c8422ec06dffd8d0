import Testing
import Weir

@testable import TestSupport

@Suite("Just's operators")
struct JustOperatorTests {
  private let three = Just(3)
  private let some = Optional(3).publisher
  private let none = Int?.none.publisher

  @Test("map to a publisher of one value")
  func mapping() {
    #expect(three.map(double) == Just(6))
    #expect(three.compactMap(half) == none)
    #expect(Just(6).compactMap(half) == some)
    #expect(three.scan(4, digits) == Result<Int, Never>.Publisher(43))
    #expect(three.setFailureType(to: TestError.self) == Result<Int, TestError>.Publisher(3))
    #expect(three.mapError { (_: Never) -> TestError in } == Result<Int, TestError>.Publisher(3))
    #expect(Just("three").map(\.count).record(demanding: .unlimited).values == [5])
  }

  @Test("filter to a publisher of one value or none")
  func filtering() {
    #expect(three.filter(isEven) == none)
    #expect(three.first(where: isEven) == none)
    #expect(three.last(where: isEven) == none)
    #expect(three.prefix(while: isEven) == none)
    #expect(three.drop(while: isEven) == some)
    #expect(Just(4).filter(isEven) == Optional(4).publisher)
    #expect(Just(4).drop(while: isEven) == none)
    #expect(three.removeDuplicates() == three)
    #expect(three.removeDuplicates(by: uncalled) == three)
    #expect(three.ignoreOutput() == Empty<Int, Never>())
  }

  @Test("reduce to a publisher of one value")
  func reducing() {
    #expect(three.collect() == Just([3]))
    #expect(three.count() == Just(1))
    #expect(three.reduce(4, digits) == Result<Int, Never>.Publisher(43))
    let same: [Just<Int>] = [three.min(), three.max(), three.first(), three.last()]
    #expect(same == [three, three, three, three])
    #expect(three.min(by: uncalled) == three)
    #expect(three.max(by: uncalled) == three)
    #expect(three.contains(3) == Just(true))
    #expect(three.contains(4) == Just(false))
    #expect(three.contains(where: isEven) == Just(false))
    #expect(three.allSatisfy(isEven) == Just(false))
  }

  @Test("select by the index 0")
  func selecting() {
    #expect([three.prefix(0), three.prefix(1), three.prefix(2)] == [none, some, some])
    #expect([three.dropFirst(0), three.dropFirst(), three.dropFirst(2)] == [some, none, none])
    #expect([three.output(at: 0), three.output(at: 1)] == [some, none])
    #expect([three.output(in: 0..<2), three.output(in: 1..<2), three.output(in: 1...)] == [some, none, none])
    #expect([three.output(in: 0...), three.output(in: ...0), three.output(in: ..<1)] == [some, some, some])
    // As in Combine.
    #expect([three.output(in: 0..<0), three.output(in: (-1)...0)] == [some, none])
  }

  @Test("add elements before and after")
  func combining() {
    #expect(three.append(4, 5) == [3, 4, 5].publisher)
    #expect(three.append(Set([4])) == [3, 4].publisher)
    #expect(three.prepend(1, 2) == [1, 2, 3].publisher)
    #expect(three.prepend(1..<3) == [1, 2, 3].publisher)
  }

  @Test("return the same publisher where no value can be missing and no failure is possible")
  func errors() {
    #expect([three.replaceError(with: 4), three.replaceEmpty(with: 4), three.retry(2)] == [three, three, three])
  }

  @Test("turn a closure's error into a failure")
  func throwingClosures() {
    let failed = [Event<Int>.subscription, .failed(.oops)]
    #expect(three.tryMap { (n: Int) throws -> Int in try throwing(n) }.record().events == failed)
    #expect(three.tryScan(0) { (a: Int, b: Int) throws -> Int in try throwing(a, b) }.record().events == failed)
    #expect(three.tryReduce(0) { (a: Int, b: Int) throws -> Int in try throwing(a, b) }.record().events == failed)
    #expect(three.tryRemoveDuplicates(by: throwing).record().events == failed)
    #expect(three.tryContains(where: throwing).record().events == [.subscription, .failed(.oops)])
    #expect(three.tryAllSatisfy(throwing).record().events == [.subscription, .failed(.oops)])
  }

  @Test("accept throwing closures like nonthrowing ones")
  func closuresThatDoNotThrow() {
    #expect(three.tryMap(double).record(demanding: .max(1)).values == [6])
    #expect(three.tryScan(4, digits).record(demanding: .max(1)).values == [43])
    #expect(three.tryReduce(4, digits).record(demanding: .max(1)).values == [43])
    #expect(three.tryRemoveDuplicates { (a: Int, b: Int) in a == b }.record(demanding: .max(1)).values == [3])
    #expect(three.tryContains(where: isEven).record(demanding: .max(1)).values == [false])
    #expect(three.tryAllSatisfy(isEven).record(demanding: .max(1)).values == [false])
  }

  @Test("call their closure at assembly, once for all subscribers")
  func calledOnce() {
    var calls = 0
    let mapped = three.map { (number: Int) -> Int in
      calls += 1
      return number
    }
    #expect(calls == 1)
    #expect(mapped.record(demanding: .max(1)).values + mapped.record(demanding: .max(1)).values == [3, 3])
    #expect(calls == 1)
  }

  @Test("make publishers that buffer their value until there is demand")
  func demand() {
    checkSendsSevenAndFinishes(named: "Just", three.map { (n: Int) -> Int in n + 4 })
    checkSendsSevenAndFinishes(named: "Optional", Just(7).filter { (n: Int) -> Bool in n == 7 })
    checkSendsSevenAndFinishes(named: "Once", three.tryMap { (n: Int) throws -> Int in n + 4 })
  }

  @Test("reject a negative index, length or count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
  }
}

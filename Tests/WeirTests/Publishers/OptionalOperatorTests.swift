import Testing
import Weir

@testable import TestSupport

@Suite("The operators of Optional.publisher")
struct OptionalOperatorTests {
  typealias Sut = Optional<Int>.Publisher

  private let three = Optional(3).publisher
  private let none = Int?.none.publisher

  @Test("map the value if there is one")
  func mapping() {
    #expect(three.map(double) == Optional(6).publisher)
    #expect(none.map(double) == none)
    let six = Optional(6).publisher
    let halved: [Sut] = [three.compactMap(half), six.compactMap(half), none.compactMap(half)]
    #expect(halved == [none, three, none])
    #expect(three.scan(4, digits) == Optional(43).publisher)
    #expect(none.scan(4, uncalled) == none)
  }

  @Test("filter the value if there is one")
  func filtering() {
    let four = Optional(4).publisher
    #expect([three.filter(isEven), four.filter(isEven), none.filter(isEven)] == [none, four, none])
    #expect([three.first(where: isEven), four.first(where: isEven)] == [none, four])
    #expect([three.last(where: isEven), four.last(where: isEven)] == [none, four])
    #expect([three.prefix(while: isEven), four.prefix(while: isEven)] == [none, four])
    #expect([three.drop(while: isEven), four.drop(while: isEven), none.drop(while: isEven)] == [three, none, none])
    for publisher in [three, none] {
      #expect(publisher.removeDuplicates() == publisher)
      #expect(publisher.removeDuplicates(by: uncalled) == publisher)
      #expect(publisher.ignoreOutput() == Empty<Int, Never>())
    }
  }

  @Test("reduce the value; without one only collect() and replaceEmpty(with:) send a value, as in Combine")
  func reducing() {
    let collected: [Optional<[Int]>.Publisher] = [three.collect(), none.collect()]
    #expect(collected == [Optional([3]).publisher, Optional([]).publisher])
    #expect([three.count(), none.count()] == [Optional(1).publisher, none])
    #expect([three.reduce(4, digits), none.reduce(4, uncalled)] == [Optional(43).publisher, none])
    for publisher in [three, none] {
      #expect([publisher.min(), publisher.max(), publisher.first(), publisher.last()].allSatisfy { $0 == publisher })
      #expect([publisher.min(by: uncalled), publisher.max(by: uncalled)].allSatisfy { $0 == publisher })
    }
    let answers = [true, false, nil].map { (answer: Bool?) in answer.publisher }
    #expect([three.contains(3), three.contains(4), none.contains(3)] == answers)
    #expect([Optional(4).publisher, three, none].map { $0.contains(where: isEven) } == answers)
    #expect([Optional(4).publisher, three, none].map { $0.allSatisfy(isEven) } == answers)
  }

  @Test("select by the index 0")
  func selecting() {
    let taken: [Sut] = [three.prefix(0), three.prefix(1), three.prefix(2), none.prefix(1)]
    #expect(taken == [none, three, three, none])
    let dropped: [Sut] = [three.dropFirst(0), three.dropFirst(), three.dropFirst(2), none.dropFirst(0)]
    #expect(dropped == [three, none, none, none])
    #expect([three.output(at: 0), three.output(at: 1), none.output(at: 0)] == [three, none, none])
    #expect([three.output(in: 0..<2), three.output(in: 0..<0), three.output(in: 1..<2)] == [three, none, none])
    #expect([three.output(in: ...0), three.output(in: ..<0), three.output(in: ..<1)] == [three, none, three])
  }

  @Test("select by a range without an end")
  func endless() {
    #expect([three.output(in: 0...), three.output(in: 0..<Int.max), three.output(in: 1...)] == [three, three, none])
  }

  @Test("replace a missing value, and return the same publisher where no failure is possible")
  func errors() {
    #expect([three.replaceEmpty(with: 4), none.replaceEmpty(with: 4)] == [Just(3), Just(4)])
    for publisher in [three, none] {
      #expect([publisher.replaceError(with: 4), publisher.retry(2)] == [publisher, publisher])
    }
  }

  @Test("make publishers that buffer their value until there is demand, and finish immediately without one")
  func demand() {
    checkSendsSevenAndFinishes(named: "Optional", three.map { (n: Int) -> Int in n + 4 })
    #expect(three.filter(isEven).record().events == [.subscription, .finished])
  }

  @Test("reject a negative index, length or count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(in: -1..<1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.dropFirst(-1) }
  }
}

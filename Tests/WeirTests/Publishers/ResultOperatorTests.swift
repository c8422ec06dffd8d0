import Testing
import Weir

@testable import TestSupport

@Suite("The operators of Result.publisher")
struct ResultOperatorTests {
  typealias Sut<Value> = Result<Value, TestError>.Publisher

  private let three = Sut<Int>(3)
  private let failed = Sut<Int>(.oops)

  @Test("map the value, and keep a failure")
  func mapping() {
    #expect([three.map(double), failed.map(double)] == [Sut(6), failed])
    #expect([three.scan(4, digits), failed.scan(4, uncalled)] == [Sut(43), failed])
    #expect([three.reduce(4, digits), failed.reduce(4, uncalled)] == [Sut(43), failed])
    #expect(Result<Int, Never>.Publisher(3).setFailureType(to: TestError.self) == three)
  }

  @Test("reduce the value, and keep a failure")
  func reducing() {
    let collected: [Sut<[Int]>] = [three.collect(), failed.collect()]
    #expect(collected == [Sut([3]), Sut(.oops)])
    #expect([three.count(), failed.count()] == [Sut(1), failed])
    let found: [Sut<Bool>] = [three.contains(3), three.contains(4), failed.contains(3)]
    #expect(found == [Sut(true), Sut(false), Sut(.oops)])
    let even: [Sut<Bool>] = [three.contains(where: isEven), failed.contains(where: isEven)]
    #expect(even == [Sut(false), Sut(.oops)])
    let allEven: [Sut<Bool>] = [three.allSatisfy(isEven), failed.allSatisfy(isEven)]
    #expect(allEven == [Sut(false), Sut(.oops)])
  }

  @Test("return the same publisher where a single value is the smallest, the first or no duplicate")
  func unchanged() {
    for publisher in [three, failed] {
      let same = [
        publisher.min(), publisher.max(), publisher.first(), publisher.last(), publisher.removeDuplicates(),
        publisher.min(by: uncalled), publisher.max(by: uncalled), publisher.removeDuplicates(by: uncalled),
        publisher.replaceEmpty(with: 4), publisher.retry(2),
      ]
      #expect(same.allSatisfy { $0 == publisher })
    }
  }

  @Test("change the failure or replace it with a value")
  func errors() {
    let other = { (_: TestError) -> TestError in .other }
    #expect([three.mapError(other), failed.mapError(other)] == [three, Sut(.other)])
    let replaced = [three.replaceError(with: 4), failed.replaceError(with: 4)]
    #expect(replaced == [Result<Int, Never>.Publisher(3), Result<Int, Never>.Publisher(4)])
  }

  @Test("turn a closure's error into a failure, and keep an existing failure")
  func throwingClosures() {
    let map = { (number: Int) throws -> Int in try throwing(number) }
    let combine = { (a: Int, b: Int) throws -> Int in try throwing(a, b) }
    let compare = { (a: Int, b: Int) throws -> Bool in try throwing(a, b) }
    let oops = [Event<Int>.subscription, .failed(.oops)]
    let other = [Event<Int>.subscription, .failed(.other)]
    for (publisher, events) in [(three, oops), (Sut<Int>(.other), other)] {
      #expect(publisher.tryMap(map).record().events == events)
      #expect(publisher.tryScan(0, combine).record().events == events)
      #expect(publisher.tryReduce(0, combine).record().events == events)
      #expect(publisher.tryMin(by: compare).record().events == events)
      #expect(publisher.tryMax(by: compare).record().events == events)
      #expect(publisher.tryRemoveDuplicates(by: compare).record().events == events)
    }
    #expect(three.tryContains(where: throwing).record().events == [.subscription, .failed(.oops)])
    #expect(three.tryAllSatisfy(throwing).record().events == [.subscription, .failed(.oops)])
  }

  @Test("accept throwing closures like nonthrowing ones")
  func closuresThatDoNotThrow() {
    var compared: [[Int]] = []
    let compare = { (a: Int, b: Int) throws -> Bool in
      compared.append([a, b])
      return true
    }
    #expect(three.tryMap(double).record(demanding: .max(1)).values == [6])
    #expect(three.tryScan(4, digits).record(demanding: .max(1)).values == [43])
    #expect(three.tryReduce(4, digits).record(demanding: .max(1)).values == [43])
    #expect(three.tryMin(by: compare).record(demanding: .max(1)).values == [3])
    #expect(three.tryMax(by: compare).record(demanding: .max(1)).values == [3])
    #expect(three.tryRemoveDuplicates(by: compare).record(demanding: .max(1)).values == [3])
    #expect(compared == [[3, 3], [3, 3], [3, 3]])
    #expect(three.tryContains(where: isEven).record(demanding: .max(1)).values == [false])
    #expect(three.tryAllSatisfy(isEven).record(demanding: .max(1)).values == [false])
  }

  @Test("don't drop a failure with the output, unless the type can't fail")
  func ignoring() {
    #expect(three.ignoreOutput().record().events == [.subscription, .finished])
    #expect(failed.ignoreOutput().record().events == [.subscription, .failed(.oops)])
    let empty: Empty<Int, TestError> = failed.ignoreOutput()
    #expect(empty.completeImmediately)
  }

  @Test("make publishers that buffer a value, but not a failure, until there is demand")
  func demand() {
    checkSendsSevenAndFinishes(named: "Once", three.map { (n: Int) -> Int in n + 4 })
    #expect(failed.map(double).record().events == [.subscription, .failed(.oops)])
  }
}

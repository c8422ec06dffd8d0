import Testing
import Weir

@testable import TestSupport

@Suite("Result.publisher")
struct ResultTests {
  @Test("sends the value at a request, and finishes")
  func sends() {
    checkSendsSevenAndFinishes(named: "Once", Result<Int, TestError>.success(7).publisher)
    checkSendsSevenAndFinishes(named: "Once", Result<Int, TestError>.Publisher(7))
  }

  @Test("fails immediately with any demand")
  func fails() {
    for publisher in [Result<Int, TestError>.failure(.oops).publisher, Result<Int, TestError>.Publisher(.oops)] {
      #expect(publisher.record().events == [.subscription, .failed(.oops)])
      #expect(publisher.record(demanding: .unlimited).events == [.subscription, .failed(.oops)])
    }
  }

  @Test("equals another with an equal result")
  func equality() {
    let publisher = Result<Int, TestError>.success(1).publisher
    #expect(publisher == Result.success(1).publisher)
    #expect(publisher != Result.success(2).publisher)
    #expect(publisher != Result.failure(.oops).publisher)
  }
}

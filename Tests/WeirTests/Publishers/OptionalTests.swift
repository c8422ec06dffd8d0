import Testing
import Weir

@testable import TestSupport

@Suite("Optional.publisher")
struct OptionalTests {
  @Test("sends the value at a request, and finishes")
  func sends() {
    let value: Int? = 7
    checkSendsSevenAndFinishes(named: "Optional", value.publisher)
    checkSendsSevenAndFinishes(named: "Optional", Optional.Publisher(7))
  }

  @Test("finishes immediately without a value, with any demand")
  func empty() {
    let value: Int? = nil
    #expect(value.publisher.record().events == [.subscription, .finished])
    #expect(value.publisher.record(demanding: .unlimited).events == [.subscription, .finished])
    #expect(value.publisher.record().subscription.map { String(describing: $0) } == "Empty")
  }

  @Test("equals another with an equal value")
  func equality() {
    #expect(Int?(1).publisher == Int?(1).publisher)
    #expect(Int?(1).publisher != Int?.none.publisher)
  }
}

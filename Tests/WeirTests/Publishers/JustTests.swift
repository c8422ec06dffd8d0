import Testing
import Weir

@Suite("Just")
struct JustTests {
  @Test("sends its value at a request, and finishes")
  func sends() {
    checkSendsSevenAndFinishes(named: "Just", Just(7))
  }

  @Test("rejects zero demand")
  func requestOfNone() async {
    await #expect(processExitsWith: .failure) {
      Just(7).subscribe(AnySubscriber<Int, Never>(receiveSubscription: { $0.request(.none) }))
    }
  }

  @Test("releases its value at a cancel, even if the subscription is retained")
  func releasesItsValue() throws {
    final class Value {}
    weak var released: Value?
    var subscription: (any Subscription)?
    do {
      let value = Value()
      released = value
      Just(value).subscribe(AnySubscriber<Value, Never>(receiveSubscription: { subscription = $0 }))
    }
    let kept = try #require(subscription)
    #expect(released != nil)
    kept.cancel()
    #expect(released == nil)
  }

  @Test("equals another with an equal value")
  func equality() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
  }
}

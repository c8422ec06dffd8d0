import Testing
import Weir

@Suite("Just")
struct JustTests {
  @Test("sends its value when it is asked for one, and finishes")
  func sends() {
    checkSendsSevenAndFinishes(named: "Just", Just(7))
  }

  @Test("takes no request for nothing")
  func requestOfNone() async {
    await #expect(processExitsWith: .failure) {
      Just(7).subscribe(AnySubscriber<Int, Never>(receiveSubscription: { $0.request(.none) }))
    }
  }

  @Test("equals another with an equal value")
  func equality() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
  }
}

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

  @Test("equals another with an equal value")
  func equality() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
  }
}

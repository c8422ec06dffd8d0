import Testing

@testable import Weir

@Suite struct MangledNameTests {
  @Test(
    "a function of the library is known by its name",
    arguments: [
      "$s4Weir9PublisherPAAE4sink17receiveCompletion0D5Value6fileID4lineAA14AnyCancellableCyAA11SubscribersO0E0Oy_7FailureQz",
      "$s4Weir9PublisherPAASQ6OutputRpzrlE16removeDuplicatesAA10PublishersO06RemoveE0Vy_xGyF",
      "$s4Weir9PublisherP0A2Rxs5NeverO7FailureRtzrlE4bind2to_AA14AnyCancellableC",
      "$s6WeirRx13TwoWayBindingC6listen33_C57D52C2E5AF0E45C02D24FD577E3045LL2to_0A014AnyCancellableC",
      "$s12WeirControls8ReactiveVA2A11TextControlCRbzlE4textAA0E8PropertyVySSSgGvg",
      "$sSTsE7forEachyyy7ElementQzKXEKF",
    ])
  func own(_ name: String) {
    #expect(MangledName(name).isOwn)
  }

  @Test(
    "and one of a program is not, were it a method that it adds to a type of the library",
    arguments: [
      "$s10SignupForm0A5ModelC5startyyF",
      "$s4Weir9PublisherP10SignupFormE5twiceQryF",
      "$s4Weir9PublisherP0A6ExtrasE5twiceQryF",
      "$s4Weir10PublishersO3MapV3AppE5twiceQryF",
      "main",
    ])
  func foreign(_ name: String) {
    #expect(!MangledName(name).isOwn)
  }
}

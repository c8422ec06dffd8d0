import Testing
import Weir
import WeirControls
import WeirRx
import WeirTesting

@testable import SignupForm

@MainActor
struct SignupModelTests {
  struct Nobody: AccountDirectory {
    func isTaken(_ name: String) -> AnyPublisher<Bool, Never> { Just(false).eraseToAnyPublisher() }
  }

  let form = Form()
  let clock = VirtualTimeScheduler()
  let model: SignupModel<VirtualTimeScheduler>

  init() {
    model = SignupModel(form: form, directory: Nobody(), clock: clock)
    model.start()
  }

  @Test func looksAtANameWhenTheTypingPauses() {
    form.username.type("ada")
    clock.advance(by: .milliseconds(299))
    #expect(model.username.value == .edited)
    clock.advance(by: .milliseconds(1))
    #expect(model.username.value == .available)
  }
}

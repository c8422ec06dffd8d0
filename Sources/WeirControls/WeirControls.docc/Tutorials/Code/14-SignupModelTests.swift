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

  @Test func submitsOneAtATime() throws {
    let created = TestSubscriber<String, Never>(demanding: .unlimited, clock: clock)
    model.created.subscribe(created)
    form.username.type("ada-lovelace")
    form.password.type("difference")
    form.confirm.type("difference")
    form.terms.flip()
    clock.advance(by: .milliseconds(300))
    #expect(form.signup.isEnabled)

    form.signup.tap()
    form.signup.tap()
    clock.advance(by: .milliseconds(200))
    #expect(created.values == ["ada-lovelace"])
    #expect(model.username.value == .taken)
  }
}

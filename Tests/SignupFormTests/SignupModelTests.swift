import Testing
import Weir
import WeirControls
import WeirRx

@testable import SignupForm
@testable import TestSupport

@Suite("The sign-up form")
@MainActor
struct SignupModelTests {
  let form = Form()
  let clock = VirtualTimeScheduler()
  let directory = Directory()
  let model: SignupModel<VirtualTimeScheduler>
  let log = Log()
  private var bag: Set<AnyCancellable> = []

  init() {
    model = SignupModel(form: form, directory: directory, clock: clock)
    model.username.dropFirst().sink { [log] in log.append("username: \($0.rawValue)") }.store(in: &bag)
    model.password.compactMap { $0 }.sink { [log] in log.append("password: \($0.rawValue)") }.store(in: &bag)
    model.confirm.compactMap { $0 }.sink { [log] in log.append("confirm: \($0.rawValue)") }.store(in: &bag)
    model.isEnabled.removeDuplicates().dropFirst().sink { [log] in log.append("enabled: \($0)") }.store(in: &bag)
    model.created.sink { [log] in log.append("created: \($0)") }.store(in: &bag)
    model.start()
  }

  @Test("checks a name when the typing pauses, not before")
  func debounce() {
    form.username.type("a")
    clock.advance(by: 200)
    form.username.type("b")
    clock.advance(by: 299)
    #expect(log.lines == ["username: …"])
    clock.advance(by: 1)
    #expect(log.lines == ["username: …", "username: too short"])
  }

  @Test(
    "takes lower-case letters, digits, underscore and hyphen in a name, and nothing else",
    arguments: ["Ada", "a b", "añb", "a.b"])
  func invalid(name: String) {
    form.username.type(name)
    clock.advance(by: 300)
    #expect(log.lines == ["username: …", "username: invalid"])
    #expect(directory.asked == [])
  }

  @Test("drops the answer for an edited name, also before the next lookup")
  func staleAnswers() {
    form.username.type("ada")
    clock.advance(by: 300)
    form.username.type("x")
    directory.answer("ada", isTaken: false)
    clock.runDue()
    #expect(log.lines == ["username: …", "username: checking", "username: …"])
    clock.advance(by: 300)
    directory.answer("adax", isTaken: true)
    clock.runDue()
    #expect(log.lines.suffix(2) == ["username: checking", "username: taken"])
    #expect(directory.asked == ["ada", "adax"])
  }

  @Test("requires a password of eight characters that differs from the name")
  func password() {
    form.username.type("ada-lovelace")
    form.password.type("ada")
    form.password.type("-lovelac")
    form.password.type("e")
    #expect(
      log.lines == ["username: …", "password: too short", "password: ok", "password: same as username"])
  }

  @Test("compares the second password with the first, whichever is edited")
  func confirm() {
    form.password.type("12345678")
    form.confirm.type("12345678")
    form.password.type("9")
    #expect(
      log.lines.filter { $0.hasPrefix("confirm") } == ["confirm: different", "confirm: ok", "confirm: different"])
  }

  @Test("enables the button when all four fields are valid, and disables it at the first edit")
  func enables() {
    fillIn("ada")
    #expect(form.signup.isEnabled)
    #expect(log.lines.last == "enabled: true")
    form.username.type("x")
    #expect(!form.signup.isEnabled)
    form.username.deleteBackward()
    #expect(!form.signup.isEnabled)
    clock.advance(by: 300)
    directory.answer("ada", isTaken: false)
    clock.runDue()
    #expect(form.signup.isEnabled)
    form.terms.flip()
    #expect(!form.signup.isEnabled)
  }

  @Test("creates one account for two quick taps, after which the name is taken")
  func submitsOnce() {
    fillIn("ada")
    let before = log.lines.count
    form.signup.tap()
    clock.advance(by: 100)
    form.signup.tap()
    form.signup.tap()
    clock.advance(by: 99)
    #expect(log.lines.count == before)
    clock.advance(by: 1)
    #expect(log.lines.suffix(from: before) == ["created: ada", "username: taken", "enabled: false"])
    clock.advance(by: 1000)
    form.signup.tap()
    clock.advance(by: 1000)
    #expect(log.lines.count == before + 3)
  }

  @Test("accepts another submission after the first has completed")
  func submitsAgain() {
    fillIn("ada")
    form.signup.tap()
    clock.advance(by: 200)
    form.username.clear()
    form.username.type("bob")
    clock.advance(by: 300)
    directory.answer("bob", isTaken: false)
    clock.runDue()
    form.signup.tap()
    clock.advance(by: 200)
    #expect(log.lines.filter { $0.hasPrefix("created") } == ["created: ada", "created: bob"])
  }

  @Test("is idle when neither a check nor a submission is in flight")
  func idle() {
    let idle = model.isIdle.record(demanding: .unlimited)
    fillIn("ada")
    form.signup.tap()
    clock.advance(by: 200)
    #expect(idle.values == [true, false, true, false, true])
  }

  /// Fills in the form so that it can be submitted.
  private func fillIn(_ name: String) {
    form.username.type(name)
    clock.advance(by: 300)
    directory.answer(name, isTaken: false)
    clock.runDue()
    form.password.type("long enough")
    form.confirm.type("long enough")
    form.terms.flip()
  }
}

/// A directory that answers when the test says so.
final class Directory: AccountDirectory {
  private(set) var asked: [String] = []
  private var questions: [(name: String, answer: PassthroughSubject<Bool, Never>)] = []

  func isTaken(_ name: String) -> AnyPublisher<Bool, Never> {
    asked.append(name)
    let answer = PassthroughSubject<Bool, Never>()
    questions.append((name, answer))
    return answer.first().eraseToAnyPublisher()
  }

  func answer(_ name: String, isTaken: Bool) {
    for question in questions where question.name == name { question.answer.send(isTaken) }
  }
}

final class Log {
  private(set) var lines: [String] = []

  func append(_ line: String) {
    lines.append(line)
  }
}

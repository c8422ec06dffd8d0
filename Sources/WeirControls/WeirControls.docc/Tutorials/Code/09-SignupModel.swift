import Weir
import WeirControls
import WeirRx

/// The state of the name in the field.
enum UsernameState: String {
  case untouched = ""
  /// The name has been edited and not been checked.
  case edited = "…"
  case tooShort = "too short"
  case invalid
  case checking
  case taken
  case available

  var isSettled: Bool { self != .edited && self != .checking }
  var isShown: Bool { self != .edited && self != .untouched }
}

enum PasswordState: String {
  case tooShort = "too short"
  case sameAsUsername = "same as username"
  case ok
}

enum ConfirmState: String {
  case different, ok
}

/// Checks the form as it is filled in: pipelines from the contents of the fields to their states.
@MainActor
final class SignupModel<Clock: Scheduler> {
  let username = BehaviorRelay<UsernameState>(.untouched)
  let password = BehaviorRelay<PasswordState?>(nil)
  let confirm = BehaviorRelay<ConfirmState?>(nil)

  /// The contents of the fields, which are bound to these properties.
  private let entered = (
    username: BehaviorRelay(""), password: BehaviorRelay(""), confirm: BehaviorRelay(""), terms: BehaviorRelay(false)
  )

  private let form: Form
  private let directory: any AccountDirectory
  private let clock: Clock
  private let bag = DisposeBag()

  init(form: Form, directory: any AccountDirectory, clock: Clock) {
    self.form = form
    self.directory = directory
    self.clock = clock
  }

  func start() {
    (form.username.rx.text.orEmpty <-> entered.username).store(in: bag)
    (form.password.rx.text.orEmpty <-> entered.password).store(in: bag)
    (form.confirm.rx.text.orEmpty <-> entered.confirm).store(in: bag)
    (form.terms.rx.isOn <-> entered.terms).store(in: bag)
    checkUsername()
    checkPassword()
  }

  /// An edit replaces any check in flight, and is checked when the typing pauses.
  private func checkUsername() {
    let edits = entered.username.changes
    let edited = edits.map { _ in Just(UsernameState.edited).eraseToAnyPublisher() }
    let paused = edits.debounce(for: .milliseconds(300), scheduler: clock)
    let checks = paused.map { [unowned self] name in check(name) }
    edited.merge(with: checks).switchToLatest().removeDuplicates().bind(to: username).store(in: bag)
  }

  private func check(_ name: String) -> AnyPublisher<UsernameState, Never> {
    if name.count < 3 { return Just(.tooShort).eraseToAnyPublisher() }
    if !name.allSatisfy(\.isAllowedInUsername) { return Just(.invalid).eraseToAnyPublisher() }
    return directory.isTaken(name)
      .receive(on: clock)
      .map { isTaken -> UsernameState in isTaken ? .taken : .available }
      .prepend(.checking)
      .eraseToAnyPublisher()
  }

  private func checkPassword() {
    entered.password.changes.combineLatest(entered.username) { password, username -> PasswordState? in
      password.count < 8 ? .tooShort : password == username ? .sameAsUsername : .ok
    }
    .removeDuplicates().bind(to: password).store(in: bag)

    entered.confirm.changes.combineLatest(entered.password) { confirm, password -> ConfirmState? in
      confirm == password ? .ok : .different
    }
    .removeDuplicates().bind(to: confirm).store(in: bag)
  }
}

extension Character {
  fileprivate var isAllowedInUsername: Bool {
    "a"..."z" ~= self || "0"..."9" ~= self || self == "_" || self == "-"
  }
}

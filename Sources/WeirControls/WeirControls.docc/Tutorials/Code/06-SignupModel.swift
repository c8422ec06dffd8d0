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

/// Checks the form as it is filled in: pipelines from the contents of the fields to their states.
@MainActor
final class SignupModel<Clock: Scheduler> {
  let username = BehaviorRelay<UsernameState>(.untouched)

  /// The contents of the fields, which are bound to these properties.
  private let entered = (
    username: BehaviorRelay(""), password: BehaviorRelay(""), confirm: BehaviorRelay(""), terms: BehaviorRelay(false)
  )

  private let form: Form
  private let clock: Clock
  private let bag = DisposeBag()

  init(form: Form, clock: Clock) {
    self.form = form
    self.clock = clock
  }

  func start() {
    (form.username.rx.text.orEmpty <-> entered.username).store(in: bag)
    (form.password.rx.text.orEmpty <-> entered.password).store(in: bag)
    (form.confirm.rx.text.orEmpty <-> entered.confirm).store(in: bag)
    (form.terms.rx.isOn <-> entered.terms).store(in: bag)
    checkUsername()
  }

  /// Checks a name when the typing pauses.
  private func checkUsername() {
    entered.username.changes
      .debounce(for: .milliseconds(300), scheduler: clock)
      .map { [unowned self] name in check(name) }
      .removeDuplicates()
      .bind(to: username)
      .store(in: bag)
  }

  private func check(_ name: String) -> UsernameState {
    if name.count < 3 { return .tooShort }
    if !name.allSatisfy(\.isAllowedInUsername) { return .invalid }
    return .available
  }
}

extension Character {
  fileprivate var isAllowedInUsername: Bool {
    "a"..."z" ~= self || "0"..."9" ~= self || self == "_" || self == "-"
  }
}

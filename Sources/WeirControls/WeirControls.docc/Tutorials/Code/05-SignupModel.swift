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
final class SignupModel {
  let username = BehaviorRelay<UsernameState>(.untouched)

  /// The contents of the fields, which are bound to these properties.
  private let entered = (
    username: BehaviorRelay(""), password: BehaviorRelay(""), confirm: BehaviorRelay(""), terms: BehaviorRelay(false)
  )

  private let form: Form
  private let bag = DisposeBag()

  init(form: Form) {
    self.form = form
  }

  func start() {
    (form.username.rx.text.orEmpty <-> entered.username).store(in: bag)
    (form.password.rx.text.orEmpty <-> entered.password).store(in: bag)
    (form.confirm.rx.text.orEmpty <-> entered.confirm).store(in: bag)
    (form.terms.rx.isOn <-> entered.terms).store(in: bag)
  }
}

import Weir
import WeirControls

/// What is known of the name in the field.
enum UsernameState: String {
  case untouched = ""
  /// It has been edited and not been looked at yet.
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

/// Checks the form as it is filled in, and submits it: pipelines from the controls to their states.
@MainActor
final class SignupModel<Clock: Scheduler> {
  let username = CurrentValueSubject<UsernameState, Never>(.untouched)
  let password = CurrentValueSubject<PasswordState?, Never>(nil)
  let confirm = CurrentValueSubject<ConfirmState?, Never>(nil)
  let isEnabled = CurrentValueSubject<Bool, Never>(false)
  let isSubmitting = CurrentValueSubject<Bool, Never>(false)

  /// The names of the accounts that were made here, as they are made.
  let created = PassthroughSubject<String, Never>()

  /// The same names, after everybody has heard of them.
  private let givenAway = PassthroughSubject<String, Never>()

  private let form: Form
  private let directory: any AccountDirectory
  private let clock: Clock
  private var createdNames: Set<String> = []
  private var bag: Set<AnyCancellable> = []

  init(form: Form, directory: any AccountDirectory, clock: Clock) {
    self.form = form
    self.directory = directory
    self.clock = clock
  }

  /// Sets the pipelines up; who subscribes to the states before hears of each change before what follows from it.
  func start() {
    checkUsername()
    checkPassword()
    enableButton()
    submit()
  }

  /// An edit takes the place of any check that is under way, and is looked at when the typing pauses; a name that has
  /// just been given away is looked at again.
  private func checkUsername() {
    let edited = form.username.edits.map { _ in Just(UsernameState.edited).eraseToAnyPublisher() }
    let paused = form.username.edits.debounce(for: .milliseconds(300), scheduler: clock)
    let givenAway = givenAway.filter { [form] name in name == form.username.text }
    let checks = paused.merge(with: givenAway).map { [unowned self] name in check(name) }
    edited.merge(with: checks)
      .switchToLatest()
      .removeDuplicates()
      .subscribe(username)
      .store(in: &bag)
  }

  private func check(_ name: String) -> AnyPublisher<UsernameState, Never> {
    if name.count < 3 { return Just(.tooShort).eraseToAnyPublisher() }
    if !name.allSatisfy(\.isAllowedInUsername) { return Just(.invalid).eraseToAnyPublisher() }
    if createdNames.contains(name) { return Just(.taken).eraseToAnyPublisher() }
    return directory.isTaken(name)
      .receive(on: clock)
      .map { isTaken -> UsernameState in isTaken ? .taken : .available }
      .prepend(.checking)
      .eraseToAnyPublisher()
  }

  private func checkPassword() {
    form.password.edits.combineLatest(form.username.texts) { password, username -> PasswordState? in
      password.count < 8 ? .tooShort : password == username ? .sameAsUsername : .ok
    }
    .removeDuplicates()
    .subscribe(password)
    .store(in: &bag)

    form.confirm.edits.combineLatest(form.password.texts) { confirm, password -> ConfirmState? in
      confirm == password ? .ok : .different
    }
    .removeDuplicates()
    .subscribe(confirm)
    .store(in: &bag)
  }

  private func enableButton() {
    username.combineLatest(password, confirm, form.terms.states) { username, password, confirm, terms -> Bool in
      username == .available && password == .ok && confirm == .ok && terms
    }
    .removeDuplicates()
    .handleEvents(receiveOutput: { [form] isEnabled in form.signup.isEnabled = isEnabled })
    .subscribe(isEnabled)
    .store(in: &bag)
  }

  /// One submission at a time: while one is under way there is no demand for another tap.
  private func submit() {
    form.signup.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { [unowned self] _ in submission(of: form.username.text) }
      .sink { [unowned self] name in
        createdNames.insert(name)
        created.send(name)
        givenAway.send(name)
      }
      .store(in: &bag)
  }

  private func submission(of name: String) -> AnyPublisher<String, Never> {
    Just(name)
      .delay(for: .milliseconds(200), scheduler: clock)
      .handleEvents(
        receiveSubscription: { [isSubmitting] _ in isSubmitting.send(true) },
        receiveCompletion: { [isSubmitting] _ in isSubmitting.send(false) }
      )
      .eraseToAnyPublisher()
  }

  /// Whether nothing is under way: no check and no submission.
  var isIdle: some Publisher<Bool, Never> {
    username.combineLatest(isSubmitting) { username, isSubmitting -> Bool in username.isSettled && !isSubmitting }
      .removeDuplicates()
  }
}

extension Character {
  fileprivate var isAllowedInUsername: Bool {
    "a"..."z" ~= self || "0"..."9" ~= self || self == "_" || self == "-"
  }
}

import Dispatch
import ExampleTerminal
import Foundation
import Weir
import WeirControls

/// The form in a terminal.
///
/// The keyboard only drives the controls; what is seen follows from the states that the model publishes.
@MainActor
final class Screen<Clock: Scheduler> {
  private enum Focus: Int, CaseIterable {
    case username, password, confirm, terms, signup
  }

  private let form: Form
  private let model: SignupModel<Clock>
  private let terminal = Terminal()
  private var focus = Focus.username
  private var created: [String] = []
  private var bag: Set<AnyCancellable> = []

  init(form: Form, model: SignupModel<Clock>) {
    self.form = form
    self.model = model
  }

  func run() {
    terminal.open()
    field(focus)?.beginEditing()
    let states = [
      model.username.map { _ in () }.eraseToAnyPublisher(),
      model.password.map { _ in () }.eraseToAnyPublisher(),
      model.confirm.map { _ in () }.eraseToAnyPublisher(),
      model.isEnabled.map { _ in () }.eraseToAnyPublisher(),
      model.isSubmitting.map { _ in () }.eraseToAnyPublisher(),
      form.terms.publisher(for: .valueChanged).map { _ in () }.eraseToAnyPublisher(),
      terminal.resizes.eraseToAnyPublisher(),
    ]
    Publishers.MergeMany(states).sink { [unowned self] in draw() }.store(in: &bag)
    model.created.sink { [unowned self] name in
      created.append(name)
      draw()
    }
    .store(in: &bag)
    terminal.keys.sink { [unowned self] key in
      press(key)
      draw()
    }
    .store(in: &bag)
    model.start()
  }

  // MARK: The keyboard

  private func press(_ key: Key) {
    switch key {
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .leave:
      terminal.close()
      exit(0)
    case .backspace: field(focus)?.deleteBackward()
    case .enter: pressReturn()
    case .left, .right: break
    case .character(" ") where focus == .terms: form.terms.flip()
    case .character(" ") where focus == .signup: form.signup.tap()
    case .character(let character): field(focus)?.type(String(character))
    }
  }

  private func pressReturn() {
    switch focus {
    case .signup: form.signup.tap()
    case .terms: move(by: 1)
    case .username, .password, .confirm:
      field(focus)?.pressReturn()
      move(by: 1)
    }
  }

  private func move(by step: Int) {
    field(focus)?.endEditing()
    let all = Focus.allCases
    focus = all[(focus.rawValue + step + all.count) % all.count]
    field(focus)?.beginEditing()
  }

  private func field(_ focus: Focus) -> TextField? {
    switch focus {
    case .username: form.username
    case .password: form.password
    case .confirm: form.confirm
    case .terms, .signup: nil
    }
  }

  // MARK: The picture

  private func draw() {
    var lines = ["", "  \(Style.bold("Sign up"))", ""]
    lines.append(row(.username, "Username", form.username.text, username))
    lines.append(row(.password, "Password", dots(form.password.text), password))
    lines.append(row(.confirm, "Confirm", dots(form.confirm.text), confirm))
    lines.append("")
    let box = form.terms.isOn ? "[x]" : "[ ]"
    lines.append("  \(marker(.terms)) \(highlighted(.terms, "\(box) I accept the terms"))")
    lines.append("")
    let title = "[ \(form.signup.title) ]"
    let button = form.signup.isEnabled ? highlighted(.signup, title) : Style.dim(title)
    lines.append("  \(marker(.signup)) \(button)\(model.isSubmitting.value ? "  one moment …" : "")")
    lines.append("")
    for name in created.suffix(3) { lines.append("    \(Style.green("✓")) \(name) has an account now") }
    lines.append("")
    lines.append("  " + Style.dim("Tab next · Shift-Tab back · Space flips · Return presses · Esc leaves"))
    terminal.draw(lines)
  }

  /// What a message says and how it looks.
  private typealias Message = (text: String, style: (String) -> String)

  private var username: Message? {
    switch model.username.value {
    case .untouched: nil
    case .edited, .checking: ("checking …", Style.dim)
    case .tooShort: ("too short: at least 3 characters", Style.red)
    case .invalid: ("invalid: only a-z, 0-9, _ and -", Style.red)
    case .taken: ("taken", Style.red)
    case .available: ("available", Style.green)
    }
  }

  private var password: Message? {
    switch model.password.value {
    case nil: nil
    case .tooShort: ("too short: at least 8 characters", Style.red)
    case .sameAsUsername: ("same as username", Style.red)
    case .ok: ("ok", Style.green)
    }
  }

  private var confirm: Message? {
    switch model.confirm.value {
    case nil: nil
    case .different: ("different", Style.red)
    case .ok: ("ok", Style.green)
    }
  }

  /// A field with its message; a text that is too long for the field shows its end.
  private func row(_ focus: Focus, _ label: String, _ text: String, _ message: Message?) -> String {
    let width = 24
    let isFocused = focus == self.focus
    let shown = String(text.suffix(width - 1)) + (isFocused ? "▏" : "")
    let padded = shown + String(repeating: " ", count: max(0, width - shown.count))
    let name = label + String(repeating: " ", count: 9 - label.count)
    let box = Style.underlined(padded)
    return "  \(marker(focus)) \(name) \(box)  \(message.map { $0.style($0.text) } ?? "")"
  }

  private func marker(_ focus: Focus) -> String {
    focus == self.focus ? Style.bold("›") : " "
  }

  private func highlighted(_ focus: Focus, _ text: String) -> String {
    focus == self.focus ? Style.inverse(text) : text
  }

  private func dots(_ text: String) -> String {
    String(repeating: "•", count: text.count)
  }
}

/// How text looks in a terminal.
private enum Style {
  static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
  static func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[0m" }
  static func underlined(_ text: String) -> String { "\u{1B}[4m\(text)\u{1B}[0m" }
  static func inverse(_ text: String) -> String { "\u{1B}[7m\(text)\u{1B}[0m" }
  static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }
  static func green(_ text: String) -> String { "\u{1B}[32m\(text)\u{1B}[0m" }
}

import Dispatch
import ExampleTerminal
import Foundation
import Weir
import WeirControls
import WeirRx

/// The form in a terminal.
///
/// The keyboard only drives the controls. The screen shows the states that the model publishes.
@MainActor
final class Screen<Clock: Scheduler> {
  private enum Focus: Int, CaseIterable {
    case username, password, confirm, terms, signup
  }

  private let form: Form
  private let model: SignupModel<Clock>
  private let terminal = Terminal()
  private var focus = Focus.username
  private var messages: [Focus: Message] = [:]
  private var created: [String] = []
  private let bag = DisposeBag()

  init(form: Form, model: SignupModel<Clock>) {
    self.form = form
    self.model = model
  }

  func run() {
    terminal.open()
    field(focus)?.beginEditing()
    show(model.username.map(Self.message), at: .username)
    show(model.password.map(Self.message), at: .password)
    show(model.confirm.map(Self.message), at: .confirm)
    model.isEnabled.asDriver().drive(onNext: { [unowned self] _ in draw() }).store(in: bag)
    model.isSubmitting.asDriver().drive(onNext: { [unowned self] _ in draw() }).store(in: bag)
    model.created.asSignal().emit(onNext: { [unowned self] name in
      created.append(name)
      draw()
    })
    .store(in: bag)
    terminal.resizes.asSignal().emit(onNext: { [unowned self] in draw() }).store(in: bag)
    terminal.keys.asSignal().emit(onNext: { [unowned self] key in
      press(key)
      draw()
    })
    .store(in: bag)
    model.start()
  }

  private func show(_ messages: some Publisher<Message?, Never>, at field: Focus) {
    messages.asDriver().drive(onNext: { [unowned self] message in
      self.messages[field] = message
      draw()
    })
    .store(in: bag)
  }

  // MARK: The keyboard

  private func press(_ key: Key) {
    switch key {
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .leave, .interrupt:
      terminal.close()
      exit(key == .leave ? 0 : 128 + SIGINT)
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
    lines.append(row(.username, "Username", form.username.text))
    lines.append(row(.password, "Password", dots(form.password.text)))
    lines.append(row(.confirm, "Confirm", dots(form.confirm.text)))
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

  /// The text and style of a message.
  private typealias Message = (text: String, style: (String) -> String)

  private static func message(_ state: UsernameState) -> Message? {
    switch state {
    case .untouched: nil
    case .edited, .checking: ("checking …", Style.dim)
    case .tooShort: ("too short: at least 3 characters", Style.red)
    case .invalid: ("invalid: only a-z, 0-9, _ and -", Style.red)
    case .taken: ("taken", Style.red)
    case .available: ("available", Style.green)
    }
  }

  private static func message(_ state: PasswordState?) -> Message? {
    switch state {
    case nil: nil
    case .tooShort: ("too short: at least 8 characters", Style.red)
    case .sameAsUsername: ("same as username", Style.red)
    case .ok: ("ok", Style.green)
    }
  }

  private static func message(_ state: ConfirmState?) -> Message? {
    switch state {
    case nil: nil
    case .different: ("different", Style.red)
    case .ok: ("ok", Style.green)
    }
  }

  /// A field with its message; a text that is too long for the field shows its end.
  private func row(_ focus: Focus, _ label: String, _ text: String) -> String {
    let width = 24
    let isFocused = focus == self.focus
    let shown = String(text.suffix(width - 1)) + (isFocused ? "▏" : "")
    let padded = shown + String(repeating: " ", count: max(0, width - shown.count))
    let name = label + String(repeating: " ", count: 9 - label.count)
    let box = Style.underlined(padded)
    return "  \(marker(focus)) \(name) \(box)  \(messages[focus].map { $0.style($0.text) } ?? "")"
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

/// The style of text in a terminal.
private enum Style {
  static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
  static func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[0m" }
  static func underlined(_ text: String) -> String { "\u{1B}[4m\(text)\u{1B}[0m" }
  static func inverse(_ text: String) -> String { "\u{1B}[7m\(text)\u{1B}[0m" }
  static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }
  static func green(_ text: String) -> String { "\u{1B}[32m\(text)\u{1B}[0m" }
}

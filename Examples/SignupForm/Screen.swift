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
  private let clock: Clock
  private let display: any Display
  private var focus = Focus.username
  private var editors: [Focus: FieldEditor]
  private var messages: [Focus: Message] = [:]

  /// The fields that have been edited since the form was empty.
  ///
  /// Other fields show no message.
  private var edited: Set<Focus> = []

  /// Whether the last key was a press of the disabled button.
  private var saysWhyDisabled = false
  private var created: [String] = []
  private var isDrawing = false
  private let bag = DisposeBag()

  init(form: Form, model: SignupModel<Clock>, clock: Clock, display: any Display) {
    self.form = form
    self.model = model
    self.clock = clock
    self.display = display
    editors = [
      .username: FieldEditor(field: form.username), .password: FieldEditor(field: form.password),
      .confirm: FieldEditor(field: form.confirm),
    ]
  }

  func run() {
    display.open()
    editors[focus]?.field.beginEditing()
    show(model.username.map(Self.message), at: .username)
    show(model.password.map(Self.message), at: .password)
    show(model.confirm.map(Self.message), at: .confirm)
    model.isEnabled.asDriver().drive(onNext: { [unowned self] _ in redraw() }).store(in: bag)
    model.isSubmitting.asDriver().drive(onNext: { [unowned self] _ in redraw() }).store(in: bag)
    model.created.asSignal().emit(onNext: { [unowned self] name in
      created.append(name)
      if form.username.text == name { beginAnew() }
      redraw()
    })
    .store(in: bag)
    display.resizes.asSignal().emit(onNext: { [unowned self] in redraw() }).store(in: bag)
    display.keys.asSignal().emit(onNext: { [unowned self] key in
      saysWhyDisabled = false
      press(key)
      redraw()
    })
    .store(in: bag)
    model.start()
  }

  private func show(_ messages: some Publisher<Message?, Never>, at field: Focus) {
    messages.asDriver().drive(onNext: { [unowned self] message in
      self.messages[field] = message
      redraw()
    })
    .store(in: bag)
  }

  // MARK: The keyboard

  private func press(_ key: Key) {
    switch key {
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .leave, .interrupt:
      display.close()
      exit(key == .leave ? 0 : 128 + SIGINT)
    case .left: editors[focus]?.move(by: -1)
    case .right: editors[focus]?.move(by: 1)
    case .home: editors[focus]?.moveToStart()
    case .end: editors[focus]?.moveToEnd()
    case .backspace: edit { $0.deleteBackward() }
    case .delete: edit { $0.deleteForward() }
    case .enter: pressReturn()
    case .character(" ") where focus == .terms: form.terms.flip()
    case .character(" ") where focus == .signup: pressButton()
    case .character(let character): edit { $0.insert(String(character)) }
    case .paste(let text): edit { $0.insert(text) }
    }
  }

  private func edit(_ change: (inout FieldEditor) -> Void) {
    guard var editor = editors[focus] else { return }
    let text = editor.field.text
    change(&editor)
    if editor.field.text != text { edited.insert(focus) }
    editors[focus] = editor
  }

  private func pressReturn() {
    switch focus {
    case .signup: pressButton()
    case .terms: move(by: 1)
    case .username, .password, .confirm:
      editors[focus]?.field.pressReturn()
      move(by: 1)
    }
  }

  /// Taps the button, or says why it is disabled.
  private func pressButton() {
    if form.signup.isEnabled {
      form.signup.tap()
    } else {
      saysWhyDisabled = true
    }
  }

  /// The fields that are missing or wrong, which disable the button.
  private var obstacles: [String] {
    func obstacle(_ label: String, _ field: TextField, _ state: String?) -> String? {
      field.text.isEmpty ? "\(label): missing" : state.map { "\(label): \($0)" }
    }
    let username: String? =
      switch model.username.value {
      case .available: nil
      case .untouched, .edited, .checking: "still being checked"
      case let state: state.rawValue
      }
    let password = model.password.value.flatMap { $0 == .ok ? nil : $0.rawValue }
    let confirm = model.confirm.value.flatMap { $0 == .ok ? nil : $0.rawValue }
    return [
      obstacle("Username", form.username, username), obstacle("Password", form.password, password),
      obstacle("Confirm", form.confirm, confirm), form.terms.isOn ? nil : "Terms: not accepted",
    ]
    .compactMap { $0 }
  }

  private func move(by step: Int) {
    let all = Focus.allCases
    move(to: all[(focus.rawValue + step + all.count) % all.count])
  }

  private func move(to next: Focus) {
    editors[focus]?.field.endEditing()
    focus = next
    editors[focus]?.field.beginEditing()
  }

  /// Empties the form for the next account.
  private func beginAnew() {
    for field in [Focus.username, .password, .confirm] {
      move(to: field)
      editors[field]?.clear()
    }
    if form.terms.isOn { form.terms.flip() }
    edited = []
    move(to: .username)
  }

  // MARK: The picture

  /// Draws once for all changes until the clock's next turn, such as the keys of one read.
  private func redraw() {
    guard !isDrawing else { return }
    isDrawing = true
    clock.schedule { [weak self] in
      guard let self else { return }
      isDrawing = false
      draw()
    }
  }

  private func draw() {
    let size = display.size
    let columns = size.columns
    let news = created.suffix(3).map { "    \(Style.green("✓")) \($0) has an account now" }
    // A low window shows the first field after a sign-up, and the last lines are hidden.
    let isLow = size.rows < 18
    var lines = ["", "  \(Style.bold("Sign up"))", isLow ? news.last ?? "" : ""]
    var focused = 0..<0

    /// Appends the lines of a control, the first of which stay visible while the control has the focus.
    func append(_ control: Focus, _ rows: [String]) {
      if control == focus { focused = lines.count..<lines.count + rows.count }
      lines += rows
    }
    append(.username, rows(.username, "Username", form.username.text, columns))
    append(.password, rows(.password, "Password", dots(form.password.text), columns))
    append(.confirm, rows(.confirm, "Confirm", dots(form.confirm.text), columns))
    lines.append("")
    let box = form.terms.isOn ? "[x]" : "[ ]"
    append(.terms, ["  \(marker(.terms)) \(highlighted(.terms, "\(box) I accept the terms"))"])
    lines.append("")
    let title = "[ \(form.signup.title) ]"
    let button = form.signup.isEnabled ? highlighted(.signup, title) : Style.dim(title)
    let progress = model.isSubmitting.value ? "  one moment …" : ""
    let reasons = saysWhyDisabled ? obstacles : []
    append(.signup, ["  \(marker(.signup)) \(button)\(progress)"] + reasons.map { "    \(Style.red($0))" })
    lines.append("")
    if !isLow { lines += news }
    lines.append("")
    lines.append("  " + Style.dim("Tab next · Shift-Tab back · Space flips · Return presses · Esc leaves"))
    display.draw(lines, focus: focused)
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

  /// A field with its message, which is in a line of its own in a narrow window.
  ///
  /// A text that is too long for the field shows the part before its cursor.
  private func rows(_ focus: Focus, _ label: String, _ text: String, _ columns: Int) -> [String] {
    let label = columns < 22 ? "" : label + String(repeating: " ", count: 10 - label.count)
    let width = min(24, max(4, columns - label.count - 6))
    let window = LineWindow(text, cursor: editors[focus]?.cursor ?? 0, width: width)
    let cursor = focus == self.focus ? Style.inverse(window.atCursor) : Style.underlined(window.atCursor)
    let box = Style.underlined(window.before) + cursor + Style.underlined(window.behind)
    let row = "  \(marker(focus)) \(label)\(box)"
    guard edited.contains(focus), let message = messages[focus] else { return [row] }
    let text = message.style(message.text)
    return columns < 72 ? [row, "    \(text)"] : ["\(row)  \(text)"]
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

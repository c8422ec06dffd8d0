import ExampleTerminal
import Testing
import Weir
import WeirControls
import WeirRx

@testable import SignupForm
@testable import TestSupport

@Suite("The form in a terminal")
@MainActor
struct ScreenTests {
  let form = Form()
  let clock = VirtualTimeScheduler()
  let directory = Directory()
  let display = FakeDisplay()
  let model: SignupModel<VirtualTimeScheduler>
  let screen: Screen<VirtualTimeScheduler>
  let log = Log()
  private var bag: Set<AnyCancellable> = []

  init() {
    model = SignupModel(form: form, directory: directory, clock: clock)
    screen = Screen(form: form, model: model, clock: clock, display: display)
    for (name, field) in [("username", form.username), ("password", form.password), ("confirm", form.confirm)] {
      field.publisher(for: .editingChanged).sink { [log, field] _ in log.append("\(name): \(field.text)") }
        .store(in: &bag)
    }
    screen.run()
    clock.runDue()
  }

  private func press(_ keys: Key...) {
    for key in keys { display.keys.send(key) }
    clock.runDue()
  }

  private func type(_ text: String) {
    for character in text { display.keys.send(.character(character)) }
    clock.runDue()
  }

  // MARK: Editing

  @Test("edits a field at its cursor")
  func cursor() {
    type("ac")
    press(.left, .character("b"))
    #expect(form.username.text == "abc")
    press(.home, .delete, .right, .right, .right, .backspace, .character("d"))
    #expect(form.username.text == "bd")
    press(.left, .left, .left, .backspace, .character("1"), .end, .delete, .character("2"))
    #expect(form.username.text == "1bd2")
    #expect(
      log.lines == ["a", "ac", "abc", "bc", "b", "bd", "1bd", "1bd2"].map { "username: \($0)" },
      "one event for each edit, and none for a key that changes nothing")
  }

  @Test("keeps the cursor of each field, by characters")
  func cursors() {
    type("a👍🏽e\u{301}")
    press(.left, .tab)
    type("password")
    press(.backTab, .backspace)
    #expect(form.username.text == "ae\u{301}")
    press(.character("x"))
    #expect(form.username.text == "axe\u{301}")
    #expect(display.text(containing: "axe\u{301}")?.contains("ax\u{1B}[0m\u{1B}[7me\u{301}\u{1B}[0m") == true)
  }

  @Test("inserts a paste with one event and one redraw, and without its line breaks")
  func paste() {
    type("<>")
    press(.left)
    let (draws, events) = (display.draws, log.lines.count)
    let line = String(repeating: "0123456789", count: 500)
    press(.paste("\(line)\r\n"))
    #expect(form.username.text == "<\(line)>")
    #expect(log.lines.count == events + 1)
    #expect(display.draws == draws + 1)
    press(.tab, .paste("one\ttwo\rthree\n\nfour\u{07}\r"))
    #expect(form.password.text == "one two three  four")
    press(.tab, .tab, .paste("ignored"))
    #expect(log.lines.count == events + 2)
  }

  @Test("draws once for all keys of a read")
  func draws() {
    let draws = display.draws
    type("many keys in one read")
    #expect(display.draws == draws + 1)
    display.resizes.send()
    clock.runDue()
    #expect(display.draws == draws + 2)
  }

  // MARK: Windows

  @Test(
    "shows the focused control in every window",
    arguments: [(80, 24), (40, 10), (40, 3), (30, 2), (20, 1), (10, 1)])
  func smallWindows(columns: Int, rows: Int) {
    display.size = WindowSize(columns: columns, rows: rows)
    type("漢字漢字漢字漢字漢字漢字漢字漢字z")
    clock.advance(by: 300)
    for index in 0..<5 {
      let shown = display.shown
      #expect(shown.count <= rows)
      #expect(shown.allSatisfy { $0.plain.columns <= columns })
      #expect(shown.filter { $0.plain.contains("›") }.count == 1, "control \(index)")
      if index == 0 { #expect(shown.contains { $0.plain.contains("字z") }, "the text at the cursor") }
      press(.tab)
    }
  }

  @Test("shows a message below its field in a narrow window")
  func narrow() {
    display.size = WindowSize(columns: 40, rows: 10)
    type("a")
    clock.advance(by: 300)
    let shown = display.shown.map(\.plain)
    let row = shown.firstIndex { $0.contains("›") } ?? 0
    #expect(shown[row + 1] == "    too short: at least 3 characters")
    display.size = WindowSize(columns: 80, rows: 10)
    display.resizes.send()
    clock.runDue()
    #expect(display.shown[row].plain.hasSuffix("  too short: at least 3 characters"))
  }

  @Test("shows the last new account above the first field in a low window")
  func lowWindow() {
    display.size = WindowSize(columns: 40, rows: 4)
    fillIn("ada")
    press(.enter)
    clock.advance(by: 1000)
    #expect(display.shown.map(\.plain).suffix(2).first == "    ✓ ada has an account now")
    #expect(display.shown.last?.plain.hasPrefix("  › Username") == true)
  }

  // MARK: The button

  @Test("says which fields are missing or wrong when the disabled button is pressed, until the next key")
  func obstacles() {
    press(.backTab, .enter)
    #expect(display.red == ["Username: missing", "Password: missing", "Confirm: missing", "Terms: not accepted"])
    press(.tab)
    #expect(display.red == [])
    type("ada")
    press(.tab, .paste("ada"), .tab, .paste("adx"), .tab, .character(" "), .tab, .character(" "))
    #expect(
      display.red.filter { $0.contains(":") && $0.first?.isUppercase == true }
        == ["Username: still being checked", "Password: too short", "Confirm: different"])
    clock.advance(by: 300)
    directory.answer("ada", isTaken: true)
    clock.runDue()
    #expect(display.red.contains("Username: taken"), "the reasons follow the states")
  }

  @Test("begins anew after a sign-up")
  func anew() {
    fillIn("ada")
    press(.enter)
    #expect(display.text(containing: "one moment") != nil)
    clock.advance(by: 1000)
    #expect(display.text(containing: "ada has an account now") != nil)
    #expect(display.red == [], "neither its own name taken, nor empty fields too short")
    #expect([form.username, form.password, form.confirm].map(\.text) == ["", "", ""])
    #expect(!form.terms.isOn)
    #expect(display.text(containing: "›")?.plain.contains("Username") == true)
    #expect(form.username.isEditing && !form.confirm.isEditing)
    type("ada")
    clock.advance(by: 300)
    #expect(display.red == ["taken"], "to others")
    press(.backspace, .backspace, .backspace)
    fillIn("bob")
    press(.enter)
    clock.advance(by: 1000)
    #expect(display.text(containing: "bob has an account now") != nil)
  }

  @Test("keeps what was typed during the sign-up")
  func typedMeanwhile() {
    fillIn("ada")
    press(.enter, .tab, .character("x"))
    clock.advance(by: 1000)
    #expect(display.text(containing: "ada has an account now") != nil)
    #expect(form.username.text == "adax")
    #expect(form.password.text == "long enough")
  }

  private func fillIn(_ name: String) {
    type(name)
    clock.advance(by: 300)
    directory.answer(name, isTaken: false)
    clock.runDue()
    press(.tab, .paste("long enough"), .tab, .paste("long enough"), .tab, .character(" "), .tab)
  }
}

/// A display that keeps the last picture.
@MainActor
final class FakeDisplay: Display {
  let keys = PassthroughSubject<Key, Never>()
  let resizes = PassthroughSubject<Void, Never>()
  var size = WindowSize(columns: 80, rows: 24)
  private(set) var draws = 0
  private(set) var shown: [String] = []

  func open() {}
  func close() {}

  func draw(_ lines: [String], focus: Range<Int>) {
    draws += 1
    shown = lines.visible(in: size, focus: focus)
  }

  /// The first line that contains a text.
  func text(containing text: String) -> String? {
    shown.first { $0.plain.contains(text) }
  }

  /// The texts in red.
  var red: [String] {
    shown.flatMap { $0.matches(of: #/\x1B\[31m([^\x1B]*)\x1B/#).map { String($0.output.1) } }
  }
}

extension String {
  /// The text without styles.
  fileprivate var plain: String { replacing(#/\x1B\[[0-9]+m/#, with: "") }
}

import Testing
import WeirControls

@Suite("A text field")
@MainActor
struct TextFieldTests {
  let field = TextField(placeholder: "Name")
  let target = Target()

  init() {
    field.addTarget(target, action: { $0.note("\($1.text) \($2)") }, named: "log", for: .allEvents)
  }

  @Test("sends each typed character, between the begin and the end of the editing")
  func typing() {
    field.type("ada")
    #expect(field.isEditing)
    field.endEditing()
    field.endEditing()

    #expect(!field.isEditing)
    #expect(
      target.events == [
        " [editingDidBegin]", "a [editingChanged]", "ad [editingChanged]", "ada [editingChanged]",
        "ada [editingDidEnd]",
      ])
  }

  @Test("continues the editing when more is typed")
  func typingOn() {
    field.beginEditing()
    field.beginEditing()
    field.type("a")
    field.type("b")

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "ab [editingChanged]"])
  }

  @Test("treats several scalars of one character as one")
  func characters() {
    field.type("e\u{301}👨‍👩‍👧")

    #expect(target.events.count == 3)
    field.deleteBackward()
    #expect(field.text == "é")
  }

  @Test("ends the editing and sends the primary action when Return is pressed")
  func pressReturn() {
    field.type("a")
    field.addTarget(target, action: { $0.note("editing: \($1.isEditing)") }, named: "state", for: .allEvents)

    field.pressReturn()

    #expect(
      target.events.dropFirst(2) == [
        "a [editingDidEndOnExit]", "editing: true", "a [editingDidEnd]", "editing: false",
        "a [primaryActionTriggered]", "editing: false",
      ])
  }

  @Test("begins the editing with every key")
  func entering() {
    field.pressReturn()

    #expect(
      target.events == [
        " [editingDidBegin]", " [editingDidEndOnExit]", " [editingDidEnd]", " [primaryActionTriggered]",
      ])
  }

  @Test("sends the deletion of a character and of the whole text, if there was any")
  func deletion() {
    field.text = "abc"
    field.deleteBackward()
    field.clear()
    field.clear()
    field.deleteBackward()

    #expect(target.events == ["abc [editingDidBegin]", "ab [editingChanged]", " [editingChanged]"])
  }

  @Test("sends no event for a text that the application sets")
  func setting() {
    field.text = "ada"

    #expect(target.events == [])
  }

  @Test("appends the next character to the text that an action has set")
  func formatting() {
    field.addTarget(target, action: { _, field, _ in field.text = field.text.uppercased() }, for: .editingChanged)

    field.type("ab")

    #expect(field.text == "AB")
    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "Ab [editingChanged]"])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    field.text = "ada"
    field.isEnabled = false

    field.type("x")
    field.clear()
    field.deleteBackward()
    field.pressReturn()
    field.beginEditing()

    #expect(field.text == "ada")
    #expect(target.events == [])
  }

  @Test("ignores the rest of the typed text when an action disables it, but can end the editing")
  func disabledByTyping() {
    field.addTarget(target, action: { _, field, _ in field.isEnabled = false }, for: .editingChanged)

    field.type("abc")
    #expect(field.text == "a")
    field.endEditing()

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "a [editingDidEnd]"])
  }

  @Test("ignores the rest of the typed text when an action ends the editing")
  func endedByTyping() {
    field.addTarget(target, action: { _, field, _ in field.endEditing() }, for: .editingChanged)

    field.type("abc")

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "a [editingDidEnd]"])
  }
}

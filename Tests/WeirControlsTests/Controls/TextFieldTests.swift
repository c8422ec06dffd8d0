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

  @Test("tells of each character that is typed, between begin and end of editing")
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

  @Test("goes on with the editing when more is typed")
  func typingOn() {
    field.beginEditing()
    field.beginEditing()
    field.type("a")
    field.type("b")

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "ab [editingChanged]"])
  }

  @Test("takes a character of several scalars for one")
  func characters() {
    field.type("e\u{301}👨‍👩‍👧")

    #expect(target.events.count == 3)
    field.deleteBackward()
    #expect(field.text == "é")
  }

  @Test("ends the editing and acts when Return is pressed")
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

  @Test("is entered by every key")
  func entering() {
    field.pressReturn()

    #expect(
      target.events == [
        " [editingDidBegin]", " [editingDidEndOnExit]", " [editingDidEnd]", " [primaryActionTriggered]",
      ])
  }

  @Test("tells of the deletion of a character and of all, if there was any")
  func deletion() {
    field.text = "abc"
    field.deleteBackward()
    field.clear()
    field.clear()
    field.deleteBackward()

    #expect(target.events == ["abc [editingDidBegin]", "ab [editingChanged]", " [editingChanged]"])
  }

  @Test("says nothing when the program sets the text")
  func setting() {
    field.text = "ada"

    #expect(target.events == [])
  }

  @Test("takes the next character after what an action made of the text")
  func formatting() {
    field.addTarget(target, action: { _, field, _ in field.text = field.text.uppercased() }, for: .editingChanged)

    field.type("ab")

    #expect(field.text == "AB")
    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "Ab [editingChanged]"])
  }

  @Test("ignores a person while it is disabled")
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

  @Test("ignores the rest of what is typed when an action disables it, and still lets go of the person")
  func disabledByTyping() {
    field.addTarget(target, action: { _, field, _ in field.isEnabled = false }, for: .editingChanged)

    field.type("abc")
    #expect(field.text == "a")
    field.endEditing()

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "a [editingDidEnd]"])
  }

  @Test("ignores the rest of what is typed when an action ends the editing")
  func endedByTyping() {
    field.addTarget(target, action: { _, field, _ in field.endEditing() }, for: .editingChanged)

    field.type("abc")

    #expect(target.events == [" [editingDidBegin]", "a [editingChanged]", "a [editingDidEnd]"])
  }
}

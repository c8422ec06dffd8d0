import Testing
import WeirControls

@Suite("Text views, search fields, labels and progress views")
@MainActor
struct TextControlTests {
  let target = Target()

  @Test("a text view appends a newline when Return is pressed")
  func textView() {
    let view = TextView(text: "a")
    view.note(to: target) { $0.text.debugDescription }

    view.pressReturn()
    view.endEditing()

    #expect(
      target.events == [
        #""a" [editingDidBegin]"#, #""a\n" [editingChanged]"#, #""a\n" [editingDidEnd]"#,
      ])
  }

  @Test("a search field searches and cancels")
  func searchField() {
    let field = SearchField(placeholder: "Search")
    field.note(to: target) { $0.text }

    field.type("a")
    field.search()
    field.cancelSearch()
    field.isHidden = true
    field.cancelSearch()
    field.search()

    #expect(
      target.events == [
        " [editingDidBegin]", "a [editingChanged]", "a [editingDidEndOnExit]", "a [editingDidEnd]",
        "a [primaryActionTriggered]", "a [editingDidBegin]", " [editingChanged]", " [editingDidEnd]",
        " [searchCancelled]",
      ])
  }

  @Test("a label has a text, and progress is clamped")
  func plainViews() {
    #expect(Label(text: "a").text == "a")
    let view = ProgressView(progress: 2)
    #expect(view.progress == 1)
    view.progress = -1
    #expect(view.progress == 0)
  }
}

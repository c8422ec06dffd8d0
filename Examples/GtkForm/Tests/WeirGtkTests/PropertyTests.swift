import CGtk4
import Testing
import Weir
import WeirControls
import WeirGtk
import WeirRx

// Calls of GTK's own functions simulate a person: a property detects only its own changes.

@Suite("A property of a widget", .serialized, .needsDisplay, .timeLimit(.minutes(1)))
@MainActor
struct PropertyTests {
  @Test("sends the value and changes by a person, but not its own changes")
  func text() {
    let entry = Gtk.Entry()
    entry.text = "a"
    var values: [String] = []
    let connection = entry.rx.text.orEmpty.sink { values.append($0) }
    var end: gint = 1
    gtk_editable_insert_text(entry.opaque, "b", -1, &end)
    entry.rx.text.set("c")
    #expect(entry.text == "c")
    #expect(values == ["a", "ab"])
    gtk_editable_delete_text(entry.opaque, 0, -1)
    #expect(values == ["a", "ab", ""])
    withExtendedLifetime(connection) {}
  }

  @Test("exists for a check button, a toggle button and a scale too")
  func others() {
    let check = Gtk.CheckButton(label: "Terms")
    let toggle = Gtk.ToggleButton(gtk_toggle_button_new())
    let scale = Gtk.Scale(0...10, step: 1)
    var values: [String] = []
    let connections = [
      check.rx.isOn.sink { values.append("check \($0)") },
      toggle.rx.isOn.sink { values.append("toggle \($0)") },
      scale.rx.value.sink { values.append("scale \($0)") },
    ]
    gtk_check_button_set_active(check.pointer(), 1)
    gtk_toggle_button_set_active(toggle.pointer(), 1)
    gtk_range_set_value(scale.pointer(), 4)
    check.rx.isOn.set(false)
    toggle.rx.isOn.set(false)
    scale.rx.value.set(12)
    #expect(check.rx.isOn.value == false)
    #expect(toggle.rx.isOn.value == false)
    #expect(scale.rx.value.value == 10)
    #expect(
      values == ["check false", "toggle false", "scale 0.0", "check true", "toggle true", "scale 4.0"])
    withExtendedLifetime(connections) {}
  }

  @Test("can be bound to another one in both directions, without an echo")
  func twoWay() {
    let (first, second) = (Gtk.Scale(0...10, step: 1), Gtk.Scale(0...10, step: 1))
    let relay = BehaviorRelay(3.0)
    var heard: [Double] = []
    let connections = [
      first.rx.value <-> relay, second.rx.value <-> relay, relay.sink { heard.append($0) },
    ]
    gtk_range_set_value(first.pointer(), 5)
    #expect(second.rx.value.value == 5)
    gtk_range_set_value(second.pointer(), 7)
    #expect(first.rx.value.value == 7)
    relay.accept(1)
    #expect(first.rx.value.value == 1)
    #expect(second.rx.value.value == 1)
    #expect(heard == [3, 5, 7, 1])
    withExtendedLifetime(connections) {}
  }

  @Test("finishes when the widget is destroyed, and has no value afterwards")
  func end() {
    var entry: Gtk.Entry? = Gtk.Entry()
    let text = entry?.rx.text.orEmpty
    var isFinished = false
    let connection = text?.sink(receiveCompletion: { _ in isFinished = true }, receiveValue: { _ in })
    entry = nil
    #expect(isFinished)
    #expect(text?.value == nil)
    text?.set("nobody")
    withExtendedLifetime(connection) {}
  }

  @Test("without events, a binder sets it")
  func binder() {
    let label = Gtk.Label(gtk_label_new("")!)
    let text = CurrentValueSubject<String, Never>("first")
    let connection = text.bind(to: label.rx.text)
    text.send("second")
    #expect(label.text == "second")
    withExtendedLifetime(connection) {}
  }
}

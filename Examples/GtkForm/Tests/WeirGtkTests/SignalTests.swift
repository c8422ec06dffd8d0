import CGtk4
import Dispatch
import Testing
import Weir
import WeirControls
import WeirGtk

@Suite("A signal of a widget", .serialized, .needsDisplay, .timeLimit(.minutes(1)))
@MainActor
struct SignalTests {
  @Test("respects demand, until the cancellation disconnects it")
  func demandAndCancel() {
    let button = Gtk.Button(label: "Save")
    var subscription: (any Subscription)?
    var count = 0
    button.rx.tap.subscribe(
      AnySubscriber<Void, Never>(
        receiveSubscription: { subscription = $0 },
        receiveValue: { _ in
          count += 1
          return .none
        }))
    #expect(button.hasHandler(of: "clicked"))
    button.emit("clicked")
    #expect(count == 0)
    subscription?.request(.max(2))
    for _ in 0..<3 { button.emit("clicked") }
    #expect(count == 2)
    subscription?.cancel()
    #expect(!button.hasHandler(of: "clicked"))
    #expect(!button.hasHandler(of: "destroy"))
  }

  @Test("may be cancelled during its delivery, and releases its subscriber")
  func cancelInside() {
    final class Token {}
    let button = Gtk.Button(label: "Save")
    var connection: AnyCancellable?
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      connection = button.rx.tap.sink { _ in
        withExtendedLifetime(token) { connection?.cancel() }
      }
    }
    #expect(kept != nil)
    button.emit("clicked")
    connection = nil
    #expect(kept == nil)
  }

  @Test("is disconnected on the main actor when another thread cancels")
  func cancelElsewhere() async {
    let button = Gtk.Button(label: "Save")
    let connection = button.rx.tap.sink { _ in }
    #expect(button.hasHandler(of: "clicked"))
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        connection.cancel()
        continuation.resume()
      }
    }
    await Task { @MainActor in }.value
    #expect(!button.hasHandler(of: "clicked"))
  }

  @Test("finishes when the widget is destroyed, immediately if it already has been")
  func destroyed() {
    let button = Gtk.Button(label: "Save")
    var events: [String] = []
    let event = button.rx.tap
    let connection = event.sink(receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("click") })
    button.emit("clicked")
    button.destroy()
    button.emit("clicked")
    #expect(events == ["click", "finished"])
    withExtendedLifetime(connection) {}
  }

  @Test("doesn't retain the widget, and finishes when it is destroyed")
  func lifetime() {
    var events: [String] = []
    var button: Gtk.Button? = Gtk.Button(label: "Save")
    let event = button?.rx.tap
    let connection = event?.sink(receiveCompletion: { events.append("\($0)") }, receiveValue: { _ in })
    button = nil
    #expect(events == ["finished"])
    let late = event?.sink(receiveCompletion: { events.append("late \($0)") }, receiveValue: { _ in })
    #expect(events == ["finished", "late finished"])
    withExtendedLifetime((connection, late)) {}
  }

  @Test("supports any parameters, and leaves the return value to GTK")
  func parameters() {
    let window = Gtk.Window()
    var events: [String] = []
    let closing = window.signal("close-request").sink { events.append("close request") }
    let gone = window.signal("destroy").sink(
      receiveCompletion: { events.append("\($0)") }, receiveValue: {})
    gtk_widget_realize(window.pointer())
    window.close()
    #expect(events == ["close request", "finished"])
    withExtendedLifetime((closing, gone)) {}
  }
}

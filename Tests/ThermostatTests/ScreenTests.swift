import ExampleTerminal
import Testing
import Weir

@testable import Thermostat

@Suite("The thermostat in a terminal")
@MainActor
struct ScreenTests {
  @Test("is set by keys, and not by a paste")
  func keys() {
    let display = FakeDisplay()
    let screen = Screen(display: display)
    screen.run()
    func temperature(after keys: Key...) -> String? {
      for key in keys { display.keys.send(key) }
      return display.shown.first { $0.contains("°C") }
    }
    #expect(temperature() == "  20.0 °C   68.0 °F")
    #expect(temperature(after: .right, .right, .left, .up) == "  21.5 °C   70.7 °F")
    #expect(temperature(after: .paste("cq"), .home, .end, .delete) == "  21.5 °C   70.7 °F")
    #expect(temperature(after: .character("c"), .down) == "  19.5 °C   67.1 °F")
  }

  @Test("shows the temperature in a small window", arguments: [(40, 10), (20, 4), (20, 1)])
  func smallWindows(columns: Int, rows: Int) {
    let display = FakeDisplay()
    display.size = WindowSize(columns: columns, rows: rows)
    let screen = Screen(display: display)
    screen.run()
    display.keys.send(.right)
    #expect(display.shown.contains("  21.0 °C   69.8 °F"))
    #expect(display.shown.count <= rows)
    #expect(display.shown.allSatisfy { $0.columns <= columns })
  }
}

/// A display that keeps the last picture.
@MainActor
private final class FakeDisplay: Display {
  let keys = PassthroughSubject<Key, Never>()
  let resizes = PassthroughSubject<Void, Never>()
  var size = WindowSize(columns: 80, rows: 24)
  private(set) var shown: [String] = []

  func open() {}
  func close() {}

  func draw(_ lines: [String], focus: Range<Int>) {
    shown = lines.visible(in: size, focus: focus)
  }
}

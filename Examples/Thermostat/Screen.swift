import ExampleTerminal
import Foundation
import Weir
import WeirRx

/// The thermostat in a terminal: keys do what a script's lines do.
@MainActor
final class Screen {
  private let terminal = Terminal()
  private let steps = Steps()
  private let thermostat: Thermostat
  private var bag: Set<AnyCancellable> = []

  init() {
    thermostat = Thermostat(report: { [steps] in steps.lines.append($0) })
  }

  func run() {
    terminal.open()
    terminal.resizes.sink { [unowned self] in draw() }.store(in: &bag)
    terminal.keys.sink { [unowned self] key in
      press(key)
      draw()
    }
    .store(in: &bag)
    draw()
  }

  private func press(_ key: Key) {
    steps.lines = []
    switch key {
    case .left: thermostat.perform(.slide(max(thermostat.slider.value - 1, Thermostat.range.lowerBound)))
    case .right: thermostat.perform(.slide(min(thermostat.slider.value + 1, Thermostat.range.upperBound)))
    case .up: thermostat.perform(.step(1))
    case .down: thermostat.perform(.step(-1))
    case .character("c"): thermostat.perform(.setCelsius(20))
    case .character("f"): thermostat.perform(.setFahrenheit(70))
    case .leave, .character("q"):
      terminal.close()
      exit(0)
    case .tab, .backTab, .enter, .backspace, .character: break
    }
  }

  private func draw() {
    let width = Thermostat.range.upperBound - Thermostat.range.lowerBound
    let knob = min(max(Int(thermostat.slider.value - Thermostat.range.lowerBound), 0), Int(width))
    let track = String(repeating: "━", count: knob) + "●" + String(repeating: "─", count: Int(width) - knob)
    let rows = [
      "", "  \(shown(thermostat.celsius)) °C   \(shown(thermostat.fahrenheit)) °F", "",
      "  \(track)", "  [-] \(thermostat.stepper.value) half degrees [+]", "",
    ]
    let help = ["", "  ← → slide · ↑ ↓ step · c 20 °C · f 70 °F · Esc leaves"]
    terminal.draw(rows + steps.lines.map { "  \($0)" } + help)
  }
}

/// The steps that the last gesture took.
private final class Steps {
  var lines: [String] = []
}

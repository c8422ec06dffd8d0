import ExampleTerminal
import Foundation
import Weir
import WeirControls
import WeirRx

/// The thermostat in a terminal: keys correspond to a script's lines.
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
    case .left: thermostat.perform(.slide(Double(thermostat.slider.value) - 1))
    case .right: thermostat.perform(.slide(Double(thermostat.slider.value) + 1))
    case .up: thermostat.perform(.stepUp)
    case .down: thermostat.perform(.stepDown)
    case .character("c"): thermostat.perform(.setCelsius(20))
    case .character("f"): thermostat.perform(.setFahrenheit(70))
    case .leave, .interrupt, .character("q"):
      terminal.close()
      exit(key == .interrupt ? 128 + SIGINT : 0)
    case .tab, .backTab, .enter, .backspace, .character: break
    }
  }

  private func draw() {
    let slider = thermostat.slider
    let (width, knob) = (Int(slider.maximumValue - slider.minimumValue), Int(slider.value - slider.minimumValue))
    let track = String(repeating: "━", count: knob) + "●" + String(repeating: "─", count: width - knob)
    let rows = [
      "", "  \(shown(thermostat.celsius)) °C   \(shown(thermostat.fahrenheit)) °F", "",
      "  \(track)", "  [-] \(shown(thermostat.stepper.value)) [+]", "",
    ]
    let help = ["", "  ← → slide · ↑ ↓ step · c 20 °C · f 70 °F · Esc leaves"]
    terminal.draw(rows + steps.lines.map { "  \($0)" } + help)
  }
}

/// The steps of the last gesture.
private final class Steps {
  var lines: [String] = []
}

import ExampleTerminal
import Foundation
import Weir
import WeirControls
import WeirRx

/// The thermostat in a terminal: keys correspond to a script's lines.
@MainActor
final class Screen {
  private let display: any Display
  private let steps = Steps()
  private let thermostat: Thermostat
  private var bag: Set<AnyCancellable> = []

  init(display: any Display) {
    self.display = display
    thermostat = Thermostat(report: { [steps] in steps.lines.append($0) })
  }

  func run() {
    display.open()
    display.resizes.sink { [unowned self] in draw() }.store(in: &bag)
    display.keys.sink { [unowned self] key in
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
      display.close()
      exit(key == .interrupt ? 128 + SIGINT : 0)
    case .tab, .backTab, .home, .end, .enter, .backspace, .delete, .character, .paste: break
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
    display.draw(rows + steps.lines.map { "  \($0)" } + help, focus: 1..<5)
  }
}

/// The steps of the last gesture.
private final class Steps {
  var lines: [String] = []
}

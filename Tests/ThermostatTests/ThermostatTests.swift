import Testing
import Weir
import WeirControls

@testable import Thermostat

@Suite("The thermostat")
@MainActor
struct ThermostatTests {
  private func run(_ lines: String...) -> (status: Int32, output: [String]) {
    let log = Log()
    let status = Script().run(lines, output: { log.lines.append($0) }, complaints: { log.lines.append($0) })
    return (status, log.lines)
  }

  @Test("starts with the temperature in Celsius")
  func first() {
    let output = run().output
    #expect(output == ["  fahrenheit: 68.0", "  slider: 20.0", "  stepper: 20.0"])
  }

  @Test(
    "settles for a change of any property",
    arguments: ["set celsius 25", "set fahrenheit 77", "slide 25", "step up"])
  func settles(line: String) {
    let log = Log()
    let thermostat = Thermostat(report: { log.lines.append($0) })
    if line == "step up" { thermostat.perform(.setCelsius(24.5)) }
    log.lines = []
    if let gesture = try? Gesture(line: line) { thermostat.perform(gesture) }
    #expect(shown(thermostat.celsius) == "25.0")
    #expect(shown(thermostat.fahrenheit) == "77.0")
    #expect(shown(Double(thermostat.slider.value)) == "25.0")
    #expect(shown(thermostat.stepper.value) == "25.0")
    #expect(log.lines.count == 3, "\(log.lines)")
  }

  @Test("steps by half a degree, and stays in its range, whichever side exceeds it")
  func range() {
    let thermostat = Thermostat(report: { _ in })
    thermostat.perform(.stepUp)
    #expect(shown(thermostat.celsius) == "20.5")
    #expect(shown(thermostat.fahrenheit) == "68.9")
    for gesture in [Gesture.setCelsius(99), .setFahrenheit(99.5), .slide(36), .stepUp] {
      thermostat.perform(gesture)
      #expect(shown(thermostat.celsius) == "35.0")
      #expect(shown(thermostat.fahrenheit) == "95.0")
      #expect(shown(Double(thermostat.slider.value)) == "35.0")
      #expect(shown(thermostat.stepper.value) == "35.0")
    }
  }

  @Test("prints each gesture and its effects, and reports invalid input")
  func script() {
    let result = run("# warm", "", "  set   celsius 25 ", "warmer", "set celsius hot")
    #expect(result.status == 1)
    let first = result.output.firstIndex(of: "set celsius 25")
    #expect(first.map { result.output[$0...].prefix(2) } == ["set celsius 25", "  fahrenheit: 77.0"])
    #expect(result.output.dropLast().last?.hasPrefix("line 4: can't understand \"warmer\"") == true)
    #expect(result.output.last == "line 5: hot is not a temperature: a temperature is a number, such as 20 or 20.5")
  }
}

private final class Log {
  var lines: [String] = []
}

import Weir
import WeirControls
import WeirRx

/// Four controls and properties that are bound to one temperature.
///
///     celsius ◀──▶ fahrenheit
///        ▲             ▲
///        ▼             ▼
///     stepper ◀──▶ slider        a ring: each is bound to its neighbours only
@MainActor
final class Thermostat: ObservableObject {
  /// The temperature in degrees Celsius, which is clamped to its range.
  @Published var celsius = 20.0 {
    didSet {
      let allowed = min(max(celsius, Self.range.lowerBound), Self.range.upperBound)
      if celsius != allowed { celsius = allowed }
    }
  }

  /// The temperature in degrees Fahrenheit.
  @Published var fahrenheit = 0.0

  /// Degrees Celsius.
  let slider = Slider(in: Float(range.lowerBound)...Float(range.upperBound))

  /// Half degrees Celsius.
  let stepper = Stepper(in: range, step: 0.5)

  static let range = 5.0...35.0

  private var bag: Set<AnyCancellable> = []

  /// Binds the four to each other; the temperature in Celsius is the initial value.
  ///
  /// - Parameter report: A closure that receives each value that one of them takes from another.
  init(report: @escaping (String) -> Void) {
    let celsius = Reported(name: "celsius", side: PropertyChannel(self, \.celsius), report: report)
    let fahrenheit = Reported(name: "fahrenheit", side: PropertyChannel(self, \.fahrenheit), report: report)
    let slider = Reported(name: "slider", side: slider.rx.value, report: report)
    let stepper = Reported(name: "stepper", side: stepper.rx.value, report: report)
    bind(fahrenheit, to: celsius, map: { ($0 - 32) / 1.8 }, unmap: { $0 * 1.8 + 32 }).store(in: &bag)
    bind(slider, to: fahrenheit, map: { Double($0) * 1.8 + 32 }, unmap: { Float(($0 - 32) / 1.8) }).store(in: &bag)
    bind(stepper, to: slider, map: { Float($0) }, unmap: { Double($0) }).store(in: &bag)
    (stepper <-> celsius).store(in: &bag)
  }

  /// Performs a gesture.
  func perform(_ gesture: Gesture) {
    switch gesture {
    case .setCelsius(let degrees): celsius = degrees
    case .setFahrenheit(let degrees): fahrenheit = degrees
    case .slide(let degrees): slider.slide(to: Float(degrees))
    case .stepUp: stepper.increment()
    case .stepDown: stepper.decrement()
    }
  }
}

/// A side of a binding that reports its changes.
struct Reported<Side: TwoWayBindable>: TwoWayBindable where Side.Value: BinaryFloatingPoint {
  let name: String
  let side: Side
  let report: (String) -> Void

  var currentValue: Side.Value? { side.currentValue }
  var initialValue: Side.Value? { side.initialValue }
  var changes: Side.Changes { side.changes }
  var identity: BindingEndpointID? { side.identity }

  func set(_ value: Side.Value) {
    // In a cycle, a value arrives twice where it started.
    if side.currentValue != value { report("  \(name): \(shown(Double(value)))") }
    side.set(value)
  }

  func access(_ body: @escaping () -> Void) {
    side.access(body)
  }
}

/// A temperature with one decimal.
func shown(_ degrees: Double) -> String {
  let tenths = Int((degrees * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

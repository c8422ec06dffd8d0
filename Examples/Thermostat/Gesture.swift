/// A user action, as a line of a script describes it.
enum Gesture: Equatable {
  case setCelsius(Double)
  case setFahrenheit(Double)
  case slide(Double)
  case stepUp
  case stepDown

  struct Misunderstanding: Error, Equatable {
    let message: String
  }

  /// The gesture of a line, or `nil` if the line is empty or a comment.
  init?(line: String) throws(Misunderstanding) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, first.first != "#" else { return nil }
    switch (words.dropLast(), words.last ?? "") {
    case (["set", "celsius"], let number): self = .setCelsius(try Self.degrees(number))
    case (["set", "fahrenheit"], let number): self = .setFahrenheit(try Self.degrees(number))
    case (["slide"], let number): self = .slide(try Self.degrees(number))
    case (["step"], "up"): self = .stepUp
    case (["step"], "down"): self = .stepDown
    default:
      throw Misunderstanding(
        message: """
          can't understand "\(words.joined(separator: " "))": a line is set celsius NUMBER, set fahrenheit NUMBER, \
          slide NUMBER, step up, step down, or a comment that begins with #
          """)
    }
  }

  private static func degrees(_ text: String) throws(Misunderstanding) -> Double {
    guard let degrees = Double(text), abs(degrees) < 1000 else {
      throw Misunderstanding(message: "\(text) is not a temperature: a temperature is a number, such as 20 or 20.5")
    }
    return degrees
  }
}

/// Performs the lines of a script, and reports each step.
@MainActor
struct Script {
  /// - Returns: The exit status.
  func run(
    _ lines: some Sequence<String>, output: @escaping (String) -> Void, complaints: (String) -> Void
  ) -> Int32 {
    let thermostat = Thermostat(report: output)
    var status: Int32 = 0
    for (index, line) in lines.enumerated() {
      do {
        guard let gesture = try Gesture(line: line) else { continue }
        output(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        thermostat.perform(gesture)
      } catch {
        status = 1
        complaints("line \(index + 1): \(error.message)")
      }
    }
    return status
  }
}

extension [Double] {
  /// The value in the middle.
  var median: Double { quantile(0.5) }

  /// The value below which such a part of the values lies, between neighbours if need be.
  func quantile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    let ordered = sorted()
    let position = part * Double(count - 1)
    let below = Int(position)
    let above = Swift.min(below + 1, count - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - Double(below))
  }

  /// Each value divided by the other of the same round.
  func ratios(to others: [Double]) -> [Double] {
    Swift.zip(self, others).map { $0 / $1 }
  }
}

extension Double {
  /// Three digits, as far as they say anything: `0.123`, `1.23`, `12.3`, `123`, `1,230`.
  var short: String {
    if isNaN { return "–" }
    if self == rounded(), magnitude < 1000 { return "\(Int(self))" }
    if magnitude >= 100 { return Int(rounded()).grouped }
    let digits = magnitude >= 10 ? 10.0 : 100.0
    let text = "\((self * digits).rounded() / digits)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Int {
  /// With a comma before every three digits.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}

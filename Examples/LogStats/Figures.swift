extension Int {
  /// The number with a comma after every three digits: `1,234,567`.
  var grouped: String {
    var digits = Array(String(magnitude))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return (self < 0 ? "-" : "") + String(digits)
  }

  /// The size in the unit with at most three digits before the point: `532 B`, `45.2 GB`.
  var asBytes: String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var (value, power) = (Double(self), 0)
    // A value that would be rounded to 1000 uses the next unit.
    while value >= (power == 0 ? 1000 : 999.95), power < units.count - 1 {
      value /= 1000
      power += 1
    }
    return "\(power == 0 ? String(self) : value.decimal) \(units[power])"
  }

  /// The percentage of another number.
  func percent(of whole: Int) -> String {
    whole == 0 ? "" : "\((Double(self) / Double(whole) * 100).decimal) %"
  }
}

extension Double {
  /// The number with one decimal.
  var decimal: String {
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The seconds as `0:42` or `1:02:03`.
  var asDuration: String {
    let seconds = self < 1e9 ? Int(self.rounded(.up)) : 999_999_999
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(minutes.padded(2)):\((seconds % 60).padded(2))" : "\(minutes):\((seconds % 60).padded(2))"
  }
}

extension String {
  /// The text with leading spaces.
  func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with trailing spaces, or truncated.
  func trailing(_ width: Int) -> String {
    count > width ? prefix(width - 1) + "…" : self + String(repeating: " ", count: width - count)
  }
}

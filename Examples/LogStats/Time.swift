/// A day of the Gregorian calendar.
struct Day: Equatable {
  let year: Int
  let month: Int
  let day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day with this number, relative to January 1, 1970.
  ///
  /// Here and below, years begin in March, so that the leap day is their last day.
  init(number: Int) {
    let days = number + 719_468
    let era = days.floored(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since January 1, 1970.
  var number: Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.floored(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// The duration of the windows for which requests are counted.
enum Window: String, CaseIterable {
  case minute, hour, day

  var seconds: Int {
    switch self {
    case .minute: 60
    case .hour: 3600
    case .day: 86_400
    }
  }

  /// The next longer window.
  var wider: Window? {
    switch self {
    case .minute: .hour
    case .hour: .day
    case .day: nil
    }
  }

  /// The number of the window that contains a time.
  func number(at time: Int) -> Int { time.floored(by: seconds) }

  /// The start of a window, as `2025-10-10 13:00`, or without the hours.
  func name(of number: Int) -> String {
    let time = number * seconds
    return self == .day ? time.date : "\(time.date) \(time.clock)"
  }
}

extension Int {
  /// The quotient, rounded down also for negative numbers.
  func floored(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }

  /// The date of this many seconds since 1970, as `2025-10-10`.
  var date: String {
    let day = Day(number: floored(by: 86_400))
    return "\(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2))"
  }

  /// The hour and minute of this many seconds since 1970, as `13:55`.
  var clock: String {
    let minutes = (self - floored(by: 86_400) * 86_400) / 60
    return "\((minutes / 60).padded(2)):\((minutes % 60).padded(2))"
  }

  /// The number with leading zeros.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

import Foundation
import Testing
import WeirControls

@Suite("A date picker")
@MainActor
struct DatePickerTests {
  let picker = DatePicker(date: Date(timeIntervalSinceReferenceDate: 50))
  let target = Target()

  init() {
    picker.note(to: target) { "\(Int($0.date.timeIntervalSinceReferenceDate))" }
  }

  func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  @Test("sends once for a date that a person picks, within its limits")
  func pick() {
    picker.maximumDate = date(70)
    for seconds in [60.0, 60, 80, 90] { picker.pick(date(seconds)) }
    picker.minimumDate = date(20)
    picker.pick(date(0))

    #expect(
      target.events == ["60", "70", "20"].flatMap { ["\($0) [valueChanged]", "\($0) [primaryActionTriggered]"] })
  }

  @Test("sends no event for a date or limits that the application sets, and ignores reversed limits")
  func set() {
    picker.date = date(60)
    picker.maximumDate = date(40)
    #expect(picker.date == date(40))
    picker.minimumDate = date(45)
    #expect(picker.date == date(40))
    picker.maximumDate = nil
    #expect(picker.date == date(45))
    #expect(target.events == [])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    picker.isEnabled = false
    picker.pick(date(0))

    #expect(picker.date == date(50) && target.events == [])
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A control for picking a date.
open class DatePicker: Control {
  /// The date, which stays between ``minimumDate`` and ``maximumDate``.
  ///
  /// Setting this property sends no event, as in UIKit.
  open var date: Date {
    get { picked }
    set { picked = limited(newValue) }
  }

  /// The first date that can be picked; ignored if it is after the last date, as in UIKit.
  open var minimumDate: Date? {
    didSet { date = picked }
  }

  /// The last date that can be picked; ignored if it is before the first date, as in UIKit.
  open var maximumDate: Date? {
    didSet { date = picked }
  }

  private var picked: Date

  /// Creates a date picker.
  public init(date: Date = Date()) {
    picked = date
    super.init()
  }

  /// Simulates picking a date: sends `valueChanged` and `primaryActionTriggered` if the date changes.
  open func pick(_ new: Date) {
    guard isUsable else { return }
    let old = picked
    date = new
    if picked != old { sendChange() }
  }

  private func limited(_ date: Date) -> Date {
    if let minimumDate, let maximumDate, minimumDate > maximumDate { return date }
    if let minimumDate, date < minimumDate { return minimumDate }
    if let maximumDate, date > maximumDate { return maximumDate }
    return date
  }
}

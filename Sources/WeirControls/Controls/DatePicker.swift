#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A control that a person picks a date with.
open class DatePicker: Control {
  /// The date, which stays between ``minimumDate`` and ``maximumDate``.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var date: Date {
    get { picked }
    set { picked = limited(newValue) }
  }

  /// The first date that can be picked; one after the last is ignored, as in UIKit.
  open var minimumDate: Date? {
    didSet { date = picked }
  }

  /// The last date that can be picked; one before the first is ignored, as in UIKit.
  open var maximumDate: Date? {
    didSet { date = picked }
  }

  private var picked: Date

  /// Makes a date picker.
  public init(date: Date = Date()) {
    picked = date
    super.init()
  }

  /// A person picks a date: sends `valueChanged` and `primaryActionTriggered`, unless it is the date already.
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

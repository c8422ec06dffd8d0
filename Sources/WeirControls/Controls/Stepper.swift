import Weir

/// A control with two buttons, which increment and decrement its value.
open class Stepper: Control {
  /// The value, which stays between ``minimumValue`` and ``maximumValue``.
  ///
  /// Setting this property sends no event, as in UIKit. It ignores NaN.
  open var value: Double {
    get { count }
    set { if !newValue.isNaN { count = min(max(newValue, minimumValue), maximumValue) } }
  }

  /// The smallest value; raises ``maximumValue`` if that is smaller, and ignores NaN.
  open var minimumValue = 0.0 {
    didSet {
      if minimumValue.isNaN { minimumValue = oldValue }
      if maximumValue < minimumValue { maximumValue = minimumValue }
      value = count
    }
  }

  /// The largest value; lowers ``minimumValue`` if that is larger, and ignores NaN.
  open var maximumValue = 100.0 {
    didSet {
      if maximumValue.isNaN { maximumValue = oldValue }
      if minimumValue > maximumValue { minimumValue = maximumValue }
      value = count
    }
  }

  /// The size of a step.
  ///
  /// - Precondition: greater than zero.
  open var stepValue = 1.0 {
    willSet { Self.check(newValue) }
  }

  /// Whether a step beyond one end continues at the other end.
  open var wraps = false

  private var count = 0.0

  /// Creates a stepper with a value in a range, or with its lower bound instead of NaN.
  ///
  /// - Precondition: the step is greater than zero.
  public init(value: Double = 0, in range: ClosedRange<Double> = 0...100, step: Double = 1) {
    Self.check(step)
    super.init()
    minimumValue = range.lowerBound
    maximumValue = range.upperBound
    count = range.lowerBound
    self.value = value
    stepValue = step
  }

  /// Simulates pressing plus: sends `valueChanged` and `primaryActionTriggered` if the value changes.
  open func increment() {
    step(to: count + stepValue)
  }

  /// Simulates pressing minus: sends `valueChanged` and `primaryActionTriggered` if the value changes.
  open func decrement() {
    step(to: count - stepValue)
  }

  private static func check(_ step: Double) {
    require(step > 0, "stepValue must be greater than 0. To count down, call decrement().")
  }

  private func step(to new: Double) {
    guard isUsable else { return }
    let old = count
    if wraps, new > maximumValue {
      value = minimumValue
    } else if wraps, new < minimumValue {
      value = maximumValue
    } else {
      value = new
    }
    if count != old { sendChange() }
  }
}

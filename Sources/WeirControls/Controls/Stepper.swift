import Weir

/// A control with two buttons, one for more and one for less.
open class Stepper: Control {
  /// The value, which stays between ``minimumValue`` and ``maximumValue``.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var value: Double {
    get { count }
    set { count = min(max(newValue, minimumValue), maximumValue) }
  }

  /// The least value; a greatest value below it moves with it.
  open var minimumValue = 0.0 {
    didSet {
      if maximumValue < minimumValue { maximumValue = minimumValue }
      value = count
    }
  }

  /// The greatest value; a least value above it moves with it.
  open var maximumValue = 100.0 {
    didSet {
      if minimumValue > maximumValue { minimumValue = maximumValue }
      value = count
    }
  }

  /// How much a step is.
  ///
  /// - Precondition: greater than zero.
  open var stepValue = 1.0 {
    willSet { Self.check(newValue) }
  }

  /// Tells whether a step beyond one end goes to the other.
  open var wraps = false

  private var count = 0.0

  /// Makes a stepper.
  ///
  /// - Precondition: the step is greater than zero.
  public init(value: Double = 0, in range: ClosedRange<Double> = 0...100, step: Double = 1) {
    Self.check(step)
    super.init()
    minimumValue = range.lowerBound
    maximumValue = range.upperBound
    self.value = value
    stepValue = step
  }

  /// A person presses plus: sends `valueChanged` and `primaryActionTriggered`, unless the value is at its end already.
  open func increment() {
    step(to: count + stepValue)
  }

  /// A person presses minus: sends `valueChanged` and `primaryActionTriggered`, unless the value is at its end already.
  open func decrement() {
    step(to: count - stepValue)
  }

  private static func check(_ step: Double) {
    require(step > 0, "A step must be greater than zero: to count down, call decrement().")
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

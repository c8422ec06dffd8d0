/// A control whose value a person changes by dragging.
open class Slider: Control {
  /// The value, which stays between ``minimumValue`` and ``maximumValue``.
  ///
  /// Setting this property sends no event, as in UIKit. It ignores NaN.
  open var value: Float {
    get { position }
    set { if !newValue.isNaN { position = min(max(newValue, minimumValue), maximumValue) } }
  }

  /// The smallest value; raises ``maximumValue`` if that is smaller, and ignores NaN.
  open var minimumValue: Float = 0 {
    didSet {
      if minimumValue.isNaN { minimumValue = oldValue }
      if maximumValue < minimumValue { maximumValue = minimumValue }
      value = position
    }
  }

  /// The largest value; lowers ``minimumValue`` if that is larger, and ignores NaN.
  open var maximumValue: Float = 1 {
    didSet {
      if maximumValue.isNaN { maximumValue = oldValue }
      if minimumValue > maximumValue { minimumValue = maximumValue }
      value = position
    }
  }

  /// Whether a drag sends a change for each movement, rather than only at its end.
  open var isContinuous = true

  /// Whether a finger touches the slider.
  public private(set) var isTracking = false

  private var position: Float = 0
  private var hasMoved = false

  /// Creates a slider with a value in a range, or with its lower bound instead of NaN.
  public init(value: Float = 0, in range: ClosedRange<Float> = 0...1) {
    super.init()
    minimumValue = range.lowerBound
    maximumValue = range.upperBound
    position = range.lowerBound
    self.value = value
  }

  /// Simulates a drag through several values, and the lift of the finger.
  ///
  /// Sends `touchDown`, then `valueChanged` for each new value (once, at the end, unless ``isContinuous``), then
  /// `touchUpInside`.
  open func slide(to values: Float...) {
    touch()
    for value in values { drag(to: value) }
    lift()
  }

  /// Simulates touching the slider: sends `touchDown`.
  open func touch() {
    guard isUsable, !isTracking else { return }
    isTracking = true
    hasMoved = false
    isHighlighted = true
    sendActions(for: .touchDown)
  }

  /// Simulates moving the finger: sends `valueChanged` if the value changes and ``isContinuous``.
  open func drag(to value: Float) {
    guard isUsable, isTracking else { return }
    let old = position
    self.value = value
    guard position != old else { return }
    hasMoved = true
    if isContinuous { sendActions(for: .valueChanged) }
  }

  /// Simulates lifting the finger: sends `valueChanged` if a change is unsent, then `touchUpInside`.
  ///
  /// A slider that was disabled or hidden meanwhile sends `touchCancel` instead.
  open func lift() {
    guard isTracking else { return }
    isTracking = false
    isHighlighted = false
    guard isUsable else { return sendActions(for: .touchCancel) }
    if hasMoved, !isContinuous { sendActions(for: .valueChanged) }
    if isUsable { sendActions(for: .touchUpInside) }
  }
}

/// A control whose value a person drags along a track.
open class Slider: Control {
  /// The value, which stays between ``minimumValue`` and ``maximumValue``.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var value: Float {
    get { position }
    set { position = min(max(newValue, minimumValue), maximumValue) }
  }

  /// The least value; a greatest value below it moves with it.
  open var minimumValue: Float = 0 {
    didSet {
      if maximumValue < minimumValue { maximumValue = minimumValue }
      value = position
    }
  }

  /// The greatest value; a least value above it moves with it.
  open var maximumValue: Float = 1 {
    didSet {
      if minimumValue > maximumValue { minimumValue = maximumValue }
      value = position
    }
  }

  /// Tells whether a change is sent for each movement of a drag, and not only at its end.
  open var isContinuous = true

  /// Tells whether a person's finger is on it.
  public private(set) var isTracking = false

  private var position: Float = 0
  private var hasMoved = false

  /// Makes a slider with a value in a range.
  public init(value: Float = 0, in range: ClosedRange<Float> = 0...1) {
    super.init()
    minimumValue = range.lowerBound
    maximumValue = range.upperBound
    self.value = value
  }

  /// A person drags the slider to a value by way of others, and lets go.
  ///
  /// Sends `touchDown`, then `valueChanged` for each value that is another one (once, at the end, unless
  /// ``isContinuous``), then `touchUpInside`.
  open func slide(to values: Float...) {
    touch()
    for value in values { drag(to: value) }
    lift()
  }

  /// A person's finger touches the slider: sends `touchDown`.
  open func touch() {
    guard isUsable, !isTracking else { return }
    isTracking = true
    hasMoved = false
    isHighlighted = true
    sendActions(for: .touchDown)
  }

  /// The finger moves: sends `valueChanged` if the value changes and ``isContinuous``.
  open func drag(to value: Float) {
    guard isUsable, isTracking else { return }
    let old = position
    self.value = value
    guard position != old else { return }
    hasMoved = true
    if isContinuous { sendActions(for: .valueChanged) }
  }

  /// The finger is lifted: sends `valueChanged` if the value has changed and not ``isContinuous``, then `touchUpInside`.
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

/// A control that is on or off.
open class Switch: Control {
  /// Whether the switch is on.
  ///
  /// Setting this property sends no event, as in UIKit.
  open var isOn: Bool

  /// Creates a switch.
  public init(isOn: Bool = false) {
    self.isOn = isOn
    super.init()
  }

  /// Simulates flipping the switch: sends `valueChanged` and then `primaryActionTriggered`.
  open func flip() {
    guard isUsable else { return }
    isOn.toggle()
    sendChange()
  }
}

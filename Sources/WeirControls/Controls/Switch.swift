/// A control that is on or off.
open class Switch: Control {
  /// Tells whether it is on.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var isOn: Bool

  /// Makes a switch.
  public init(isOn: Bool = false) {
    self.isOn = isOn
    super.init()
  }

  /// A person flips the switch: sends `valueChanged` and then `primaryActionTriggered`.
  open func flip() {
    guard isUsable else { return }
    isOn.toggle()
    sendChange()
  }
}

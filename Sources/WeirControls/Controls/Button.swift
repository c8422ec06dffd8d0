/// A control that is tapped.
open class Button: Control {
  /// The text of the button.
  open var title: String

  /// Creates a button with a title.
  public init(title: String = "") {
    self.title = title
    super.init()
  }

  /// Simulates a tap.
  ///
  /// Sends `touchDown`, `touchUpInside` and `primaryActionTriggered`, in this order, and is highlighted during the
  /// first. UIKit doesn't specify the order of the last two, so don't depend on it. A button that an action disables
  /// during the tap ignores the rest of it.
  open func tap() {
    guard isUsable else { return }
    isHighlighted = true
    sendActions(for: .touchDown)
    isHighlighted = false
    for event in [Event.touchUpInside, .primaryActionTriggered] where isUsable {
      sendActions(for: event)
    }
  }
}

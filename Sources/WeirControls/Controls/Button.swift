/// A control that is tapped.
open class Button: Control {
  /// What it says.
  open var title: String

  /// Makes a button that says this.
  public init(title: String = "") {
    self.title = title
    super.init()
  }

  /// A person taps the button.
  ///
  /// Sends `touchDown`, `touchUpInside` and `primaryActionTriggered`, in this order, and is highlighted during the first.
  /// UIKit leaves open which of the last two comes first: there too a program must not depend on it. A button that is
  /// disabled from inside one of them ignores the rest of the tap.
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

/// A control that text of several lines is typed into.
///
/// UIKit's text view tells a delegate what happens to it; this one sends the events of a text field.
open class TextView: TextControl {
  /// A person presses Return: a new line begins, which sends `editingChanged`.
  open func pressReturn() {
    type("\n")
  }
}

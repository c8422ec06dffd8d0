/// A control for typing several lines of text.
///
/// UIKit's text view calls a delegate. This one sends the events of a text field.
open class TextView: TextControl {
  /// Simulates the Return key: appends a newline, which sends `editingChanged`.
  open func pressReturn() {
    type("\n")
  }
}

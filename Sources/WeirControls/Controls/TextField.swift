/// A control for typing a line of text.
///
/// All keyboard input happens between `editingDidBegin` and `editingDidEnd`: the first input begins the editing, and
/// ``TextControl/endEditing()`` and ``pressReturn()`` end it.
open class TextField: TextControl {
  /// The text that is shown while the field is empty.
  open var placeholder: String?

  /// Creates a text field.
  public init(text: String = "", placeholder: String? = nil) {
    self.placeholder = placeholder
    super.init(text: text)
  }

  /// Simulates the Return key: sends `editingDidEndOnExit`, `editingDidEnd` and `primaryActionTriggered`.
  ///
  /// The editing ends with the second event, so the primary action sees the final text.
  open func pressReturn() {
    beginEditing()
    guard takesKeys else { return }
    sendActions(for: .editingDidEndOnExit)
    endEditing()
    if isUsable { sendActions(for: .primaryActionTriggered) }
  }
}

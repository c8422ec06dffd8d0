/// A control that a line of text is typed into.
///
/// Whatever a person does with the keyboard happens between `editingDidBegin` and `editingDidEnd`: the first gesture
/// enters the field, ``TextControl/endEditing()`` and ``pressReturn()`` leave it.
open class TextField: TextControl {
  /// What it says while there is no text.
  open var placeholder: String?

  /// Makes a text field.
  public init(text: String = "", placeholder: String? = nil) {
    self.placeholder = placeholder
    super.init(text: text)
  }

  /// A person presses Return: sends `editingDidEndOnExit`, `editingDidEnd` and `primaryActionTriggered`.
  ///
  /// The editing is over with the second: what the field is there for happens when the text is final.
  open func pressReturn() {
    beginEditing()
    guard takesKeys else { return }
    sendActions(for: .editingDidEndOnExit)
    endEditing()
    if isUsable { sendActions(for: .primaryActionTriggered) }
  }
}

/// A control that a line of text is typed into.
///
/// Whatever a person does with the keyboard happens between `editingDidBegin` and `editingDidEnd`: the first gesture
/// enters the field, ``endEditing()`` and ``pressReturn()`` leave it.
open class TextField: Control {
  /// The text.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var text: String

  /// What it says while there is no text.
  open var placeholder: String?

  /// Tells whether a person is in the field.
  public private(set) var isEditing = false

  /// Makes a text field.
  public init(text: String = "", placeholder: String? = nil) {
    self.text = text
    self.placeholder = placeholder
  }

  /// A person enters the field, unless there already: sends `editingDidBegin`.
  open func beginEditing() {
    guard isEnabled, !isEditing else { return }
    isEditing = true
    sendActions(for: .editingDidBegin)
  }

  /// A person types the text at the end of what is there: sends `editingChanged` for each character.
  ///
  /// What is left is ignored when an action disables the field or ends the editing.
  open func type(_ text: String) {
    beginEditing()
    for character in text {
      guard takesKeys else { return }
      self.text.append(character)
      sendActions(for: .editingChanged)
    }
  }

  /// A person deletes the last character: sends `editingChanged`, if there was one.
  open func deleteBackward() {
    beginEditing()
    guard takesKeys, !text.isEmpty else { return }
    text.removeLast()
    sendActions(for: .editingChanged)
  }

  /// A person clears the field: sends `editingChanged`, once.
  ///
  /// Nothing happens when there is no text.
  open func clear() {
    if text.isEmpty { return }
    beginEditing()
    guard takesKeys else { return }
    text = ""
    sendActions(for: .editingChanged)
  }

  /// A person presses Return: sends `editingDidEndOnExit`, `editingDidEnd` and `primaryActionTriggered`.
  ///
  /// The editing is over with the second: what the field is there for happens when the text is final.
  open func pressReturn() {
    beginEditing()
    guard takesKeys else { return }
    sendActions(for: .editingDidEndOnExit)
    endEditing()
    if isEnabled { sendActions(for: .primaryActionTriggered) }
  }

  /// The editing ends, because a person goes elsewhere or the program wants it: sends `editingDidEnd`.
  ///
  /// This works in a disabled field too, for nobody stays in one.
  open func endEditing() {
    guard isEditing else { return }
    isEditing = false
    sendActions(for: .editingDidEnd)
  }

  private var takesKeys: Bool { isEnabled && isEditing }
}

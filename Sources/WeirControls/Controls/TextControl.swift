/// A control that text is typed into: a ``TextField``, ``SearchField`` or ``TextView``.
///
/// Whatever a person does with the keyboard happens between `editingDidBegin` and `editingDidEnd`: the first gesture
/// enters the control, ``endEditing()`` leaves it.
open class TextControl: Control {
  /// The text.
  ///
  /// Setting it from a program sends no event, as in UIKit.
  open var text: String

  /// Tells whether a person is in the control.
  public private(set) var isEditing = false

  /// Makes a control with this text.
  public init(text: String = "") {
    self.text = text
    super.init()
  }

  /// A person enters the control, unless there already: sends `editingDidBegin`.
  open func beginEditing() {
    guard isUsable, !isEditing else { return }
    isEditing = true
    sendActions(for: .editingDidBegin)
  }

  /// A person types the text at the end of what is there: sends `editingChanged` for each character.
  ///
  /// What is left is ignored when an action disables the control or ends the editing.
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

  /// A person clears the text: sends `editingChanged`, once.
  ///
  /// Nothing happens when there is no text.
  open func clear() {
    if text.isEmpty { return }
    beginEditing()
    guard takesKeys else { return }
    text = ""
    sendActions(for: .editingChanged)
  }

  /// The editing ends, because a person goes elsewhere or the program wants it: sends `editingDidEnd`.
  ///
  /// This works in a disabled control too, for nobody stays in one.
  open func endEditing() {
    guard isEditing else { return }
    isEditing = false
    sendActions(for: .editingDidEnd)
  }

  /// Tells whether what a person types arrives.
  var takesKeys: Bool { isUsable && isEditing }
}

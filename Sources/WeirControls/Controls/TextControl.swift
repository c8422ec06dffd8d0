/// A control for typing text: a ``TextField``, ``SearchField`` or ``TextView``.
///
/// All keyboard input happens between `editingDidBegin` and `editingDidEnd`: the first input begins the editing, and
/// ``endEditing()`` ends it.
open class TextControl: Control {
  /// The text.
  ///
  /// Setting this property sends no event, as in UIKit.
  open var text: String

  /// Whether a person is editing the text.
  public private(set) var isEditing = false

  /// Creates a control with a text.
  public init(text: String = "") {
    self.text = text
    super.init()
  }

  /// Simulates entering the control: sends `editingDidBegin`, unless the editing has begun.
  open func beginEditing() {
    guard isUsable, !isEditing else { return }
    isEditing = true
    sendActions(for: .editingDidBegin)
  }

  /// Simulates typing at the end of the text: sends `editingChanged` for each character.
  ///
  /// The remaining characters are ignored if an action disables the control or ends the editing.
  open func type(_ text: String) {
    beginEditing()
    for character in text {
      guard takesKeys else { return }
      self.text.append(character)
      sendActions(for: .editingChanged)
    }
  }

  /// Simulates deleting the last character: sends `editingChanged`, if there was one.
  open func deleteBackward() {
    beginEditing()
    guard takesKeys, !text.isEmpty else { return }
    text.removeLast()
    sendActions(for: .editingChanged)
  }

  /// Simulates clearing the text: sends `editingChanged`, once.
  ///
  /// Has no effect if there is no text.
  open func clear() {
    if text.isEmpty { return }
    beginEditing()
    guard takesKeys else { return }
    text = ""
    sendActions(for: .editingChanged)
  }

  /// Ends the editing, by a person or by the application: sends `editingDidEnd`.
  ///
  /// A disabled control ends the editing too, because it must not keep the focus.
  open func endEditing() {
    guard isEditing else { return }
    isEditing = false
    sendActions(for: .editingDidEnd)
  }

  /// Whether the control accepts keyboard input.
  var takesKeys: Bool { isUsable && isEditing }
}

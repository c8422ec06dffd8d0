/// A key, or a paste.
package enum Key: Equatable {
  case tab, backTab, up, down, left, right, home, end, enter, backspace, delete, leave, interrupt
  case character(Character)
  /// A text that the terminal pastes; its line breaks are not ``enter``.
  case paste(String)
}

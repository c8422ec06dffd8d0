import Weir
import WeirControls
import WeirRx

/// What is known of the name in the field.
enum UsernameState: String {
  case untouched = ""
  /// It has been edited and not been looked at yet.
  case edited = "…"
  case tooShort = "too short"
  case invalid
  case checking
  case taken
  case available

  var isSettled: Bool { self != .edited && self != .checking }
  var isShown: Bool { self != .edited && self != .untouched }
}

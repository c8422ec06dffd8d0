import Weir
import WeirControls
import WeirRx

/// The state of the name in the field.
enum UsernameState: String {
  case untouched = ""
  /// The name has been edited and not been checked.
  case edited = "…"
  case tooShort = "too short"
  case invalid
  case checking
  case taken
  case available

  var isSettled: Bool { self != .edited && self != .checking }
  var isShown: Bool { self != .edited && self != .untouched }
}

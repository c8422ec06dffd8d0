import WeirControls

/// The controls of the form.
@MainActor
final class Form {
  let username = TextField()
  let password = TextField()
  let confirm = TextField()
  let terms = Switch()
  let signup = Button(title: "Sign up")

  /// The text fields by their names in scripts.
  func field(named name: some StringProtocol) -> TextField? {
    switch name {
    case "username": username
    case "password": password
    case "confirm": confirm
    default: nil
    }
  }
}

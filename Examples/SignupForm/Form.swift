import Weir
import WeirControls

/// The controls of the form.
@MainActor
final class Form {
  let username = TextField()
  let password = TextField()
  let confirm = TextField()
  let terms = Switch()
  let signup = Button(title: "Sign up")

  /// The text fields by the names that scripts call them.
  func field(named name: some StringProtocol) -> TextField? {
    switch name {
    case "username": username
    case "password": password
    case "confirm": confirm
    default: nil
    }
  }
}

extension TextField {
  /// What is in the field, now and after each change that a person makes.
  var texts: some Publisher<String, Never> {
    edits.prepend(text)
  }

  /// What is in the field after each change that a person makes.
  var edits: some Publisher<String, Never> {
    publisher(for: .editingChanged).map { field in field.text }
  }
}

extension Switch {
  /// Whether it is on, now and after each flip.
  var states: some Publisher<Bool, Never> {
    publisher(for: .valueChanged).map { toggle in toggle.isOn }.prepend(isOn)
  }
}

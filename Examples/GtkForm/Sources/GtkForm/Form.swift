import WeirGtk

/// The controls of the form, with the names that the model uses.
@MainActor
final class Form {
  let username, password, confirm: Gtk.Entry
  let terms: Gtk.CheckButton
  let signup: Gtk.Button

  init(_ builder: Gtk.Builder) {
    (username, password, confirm) = (builder["username"], builder["password"], builder["confirm"])
    (terms, signup) = (builder["terms"], builder["signup"])
  }
}

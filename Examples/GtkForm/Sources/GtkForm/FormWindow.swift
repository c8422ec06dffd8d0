import CGtk4
import Weir
import WeirControls
import WeirGtk
import WeirRx

/// The form in a window, which shows the states that the model publishes.
@MainActor
final class FormWindow {
  let form: Form
  private let window: Gtk.Window
  private let usernameHint, passwordHint, confirmHint: Gtk.Label
  private let usernameSpinner: Gtk.Spinner
  private let toast: Gtk.Revealer
  private let toastText: Gtk.Label
  let suggestions: SuggestionPopover
  private let dark: Gtk.ToggleButton
  private var created: Set<String> = []
  private let bag = DisposeBag()

  init() {
    Theme.add(styles: String(decoding: PackageResources.form_css, as: UTF8.self))
    let builder = Gtk.Builder(String(decoding: PackageResources.form_ui, as: UTF8.self))
    window = builder["window"]
    form = Form(builder)
    (usernameHint, usernameSpinner) = (builder["username_hint"], builder["username_spinner"])
    (passwordHint, confirmHint) = (builder["password_hint"], builder["confirm_hint"])
    dark = builder["dark"]
    (toast, toastText) = (builder["toast"], builder["toast_text"])
    suggestions = SuggestionPopover(builder)
    gtk_window_set_default_widget(window.pointer(), form.signup.pointer())
  }

  /// Opens the window.
  func show<Clock: Scheduler>(_ model: SignupModel<Clock>, clock: Clock) {
    model.username.asDriver()
      .drive(onNext: { [unowned self] state in
        let hint = state == .taken && created.contains(form.username.text) ? Hint.own : Hint(state)
        hint.show(in: usernameHint, of: form.username)
        usernameSpinner.isVisible = hint.isWaiting
        usernameSpinner.isSpinning = hint.isWaiting
      })
      .store(in: bag)
    model.password.map(Hint.init).asDriver()
      .drive(onNext: { [unowned self] hint in hint.show(in: passwordHint, of: form.password) })
      .store(in: bag)
    model.confirm.map(Hint.init).asDriver()
      .drive(onNext: { [unowned self] hint in hint.show(in: confirmHint, of: form.confirm) })
      .store(in: bag)
    model.isSubmitting.map { $0 ? "One moment …" : "Sign up" }.bind(to: form.signup.rx.label).store(in: bag)
    model.created.sink { [unowned self] name in created.insert(name) }.store(in: bag)
    showToasts(model.created.map { "\($0) has an account now" }, clock: clock)
    dark.rx.isOn.set(Theme.isDark)
    dark.rx.isOn.changed.sink { Theme.isDark = $0 }.store(in: bag)
    suggestions.used.sink { [unowned self] password in
      // Like typing by a person, so that the model receives it.
      form.password.text = password
      form.confirm.text = password
    }
    .store(in: bag)
    window.signal("destroy").sink(receiveCompletion: { _ in Gtk.quit() }, receiveValue: {}).store(in: bag)
    window.present()
  }

  /// Shows each message for some time, or until the next one.
  private func showToasts<Clock: Scheduler>(_ messages: some Publisher<String, Never>, clock: Clock) {
    messages
      .handleEvents(receiveOutput: { [unowned self] message in toastText.text = message })
      .map { _ in Just(false).delay(for: .seconds(4), scheduler: clock).prepend(true) }
      .switchToLatest()
      .bind(to: toast.rx.isRevealed)
      .store(in: bag)
  }

  /// The centers of the widgets, for scripts that move the mouse.
  var places: [String] {
    let all: [(String, Gtk.Widget)] = [
      ("username", form.username), ("password", form.password), ("confirm", form.confirm), ("terms", form.terms),
      ("signup", form.signup),
      ("dark", dark), ("suggest", suggestions.opener),
    ]
    var (left, top) = (0.0, 0.0)
    gtk_native_get_surface_transform(window.opaque, &left, &top)
    return all.map { name, widget in
      var bounds = graphene_rect_t()
      _ = gtk_widget_compute_bounds(widget.pointer(), window.pointer(), &bounds)
      let (x, y) = (bounds.origin.x + bounds.size.width / 2, bounds.origin.y + bounds.size.height / 2)
      return "\(name) \(Int(left + Double(x))) \(Int(top + Double(y)))"
    }
  }
}

/// The message below a field.
private struct Hint {
  private let text: String
  private let styleClass: String
  var isWaiting: Bool { styleClass == "dim-label" }

  /// For a name that was given away in this window.
  static let own = Hint("This name is yours now", "success")

  private init(_ text: String, _ styleClass: String) {
    (self.text, self.styleClass) = (text, styleClass)
  }

  init(_ state: UsernameState) {
    (text, styleClass) =
      switch state {
      case .untouched: ("", "")
      case .edited, .checking: ("Checking …", "dim-label")
      case .tooShort: ("Too short: at least 3 characters", "error")
      case .invalid: ("Only a-z, 0-9, _ and - are allowed", "error")
      case .taken: ("This name is taken", "error")
      case .available: ("This name is free", "success")
      }
  }

  init(_ state: PasswordState?) {
    (text, styleClass) =
      switch state {
      case nil: ("", "")
      case .tooShort: ("Too short: at least 8 characters", "error")
      case .sameAsUsername: ("The same as the name", "error")
      case .ok: ("Good", "success")
      }
  }

  init(_ state: ConfirmState?) {
    (text, styleClass) =
      switch state {
      case nil: ("", "")
      case .different: ("Not the same password", "error")
      case .ok: ("The same", "success")
      }
  }

  @MainActor
  func show(in label: Gtk.Label, of field: Gtk.Entry) {
    label.text = text
    for name in ["dim-label", "error", "success"] { label.set(styleClass: name, to: name == styleClass) }
    field.set(styleClass: "error", to: styleClass == "error")
  }
}

/// The style of all windows.
@MainActor
private enum Theme {
  static var isDark: Bool {
    get {
      var value = boolean(false)
      g_object_get_property(settings, preference, &value)
      return g_value_get_boolean(&value) != 0
    }
    set {
      var value = boolean(newValue)
      g_object_set_property(settings, preference, &value)
    }
  }

  private static let preference = "gtk-application-prefer-dark-theme"

  private static let settings = UnsafeMutableRawPointer(gtk_settings_get_default())
    .assumingMemoryBound(to: GObject.self)

  private static func boolean(_ isTrue: Bool) -> GValue {
    var value = GValue()
    // `G_TYPE_BOOLEAN` is a macro, which Swift doesn't import.
    g_value_init(&value, g_type_from_name("gboolean"))
    g_value_set_boolean(&value, isTrue ? 1 : 0)
    return value
  }

  static func add(styles: String) {
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_data(provider, styles, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }
}

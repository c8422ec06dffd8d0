import CGtk4
import Testing
import WeirGtk

/// The display, which widgets require.
@MainActor
enum Display {
  static let isOpen = Gtk.open()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test without a display.
  static var needsDisplay: Self {
    .enabled("There is no display: run this under Xvfb, as Examples/GtkForm/try does.") { await Display.isOpen }
  }
}

extension Gtk.Widget {
  /// Sends a signal without parameters, as the widget does for a person.
  func emit(_ name: String) {
    var value = GValue()
    g_value_init(&value, g_type_from_name(g_type_name_from_instance(pointer())))
    g_value_set_object(&value, object)
    g_signal_emitv(&value, signalNumber(name), 0, nil)
    g_value_unset(&value)
  }

  /// Whether a handler is connected to a signal.
  func hasHandler(of name: String) -> Bool {
    g_signal_handler_find(object, G_SIGNAL_MATCH_ID, signalNumber(name), 0, nil, nil, nil) != 0
  }

  private func signalNumber(_ name: String) -> guint {
    g_signal_lookup(name, g_type_from_name(g_type_name_from_instance(pointer())))
  }
}

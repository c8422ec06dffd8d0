public import CGtk4
public import WeirControls

// The parts of each widget that a form needs. Others can be added in the same way, also in other modules. Events and
// properties have the same names as in `WeirControls`, so a pipeline for its controls works for these.

extension Gtk {
  /// A window, which GTK retains and destroys when it is closed.
  ///
  /// Another reference would prevent that.
  public final class Window: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_window_get_type() }

    override class var isKept: Bool { false }

    /// Creates a window.
    public convenience init() {
      self.init(gtk_window_new())
    }

    /// Shows the window.
    public func present() {
      gtk_window_present(pointer())
    }

    /// Closes the window, unless a handler of its `close-request` signal objects.
    public func close() {
      gtk_window_close(pointer())
    }
  }

  /// A button.
  public final class Button: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_button_get_type() }

    /// Creates a button.
    public convenience init(label: String) {
      self.init(gtk_button_new_with_label(label))
    }

    /// The text of the button.
    public var label: String {
      get { gtk_button_get_label(pointer()).map { String(cString: $0) } ?? "" }
      set { gtk_button_set_label(pointer(), newValue) }
    }
  }

  /// An entry of any kind: for text, for a password, or for a search.
  public final class Entry: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_editable_get_type() }

    /// Creates an entry for text.
    public convenience init() {
      self.init(gtk_entry_new())
    }

    /// The text.
    ///
    /// Setting it notifies all observers, like typing by a person; `rx.text` doesn't.
    public var text: String {
      get { Self.text(object) }
      set { Self.set(text: newValue, object) }
    }

    fileprivate static func text(_ object: UnsafeMutableRawPointer) -> String {
      String(cString: gtk_editable_get_text(OpaquePointer(object)))
    }

    fileprivate static func set(text: String, _ object: UnsafeMutableRawPointer) {
      gtk_editable_set_text(OpaquePointer(object), text)
    }
  }

  /// A box to check.
  public final class CheckButton: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_check_button_get_type() }

    /// Creates a check button.
    public convenience init(label: String) {
      self.init(gtk_check_button_new_with_label(label))
    }
  }

  /// A button that stays pressed.
  public final class ToggleButton: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_toggle_button_get_type() }
  }

  /// A scale with a slider.
  public final class Scale: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_scale_get_type() }

    /// Creates a horizontal scale.
    public convenience init(_ range: ClosedRange<Double>, step: Double) {
      self.init(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, range.lowerBound, range.upperBound, step))
    }
  }

  /// A line of text.
  public final class Label: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_label_get_type() }

    /// The text.
    public var text: String {
      get { String(cString: gtk_label_get_text(opaque)) }
      set { gtk_label_set_text(opaque, newValue) }
    }
  }

  /// An animation that indicates waiting.
  public final class Spinner: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_spinner_get_type() }

    /// Whether the animation is running.
    public var isSpinning: Bool {
      get { gtk_spinner_get_spinning(opaque) != 0 }
      set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
    }
  }

  /// A container that slides its content in and out.
  public final class Revealer: Widget {
    /// GTK's name of the type.
    public override class var type: GType { gtk_revealer_get_type() }

    /// Whether the content is visible.
    public var isRevealed: Bool {
      get { gtk_revealer_get_reveal_child(opaque) != 0 }
      set { gtk_revealer_set_reveal_child(opaque, newValue ? 1 : 0) }
    }
  }
}

extension Reactive where Base: Gtk.Button {
  /// The clicks on the button.
  @MainActor
  public var tap: ControlEvent<Void> { base.signal("clicked") }
}

extension Reactive where Base: Gtk.Entry {
  /// The text, now and after each change by a person; setting `nil` sets an empty text.
  @MainActor
  public var text: ControlProperty<String?> {
    base.property(changedBy: "changed", get: Gtk.Entry.text) { entry, text in Gtk.Entry.set(text: text ?? "", entry) }
  }
}

extension Reactive where Base: Gtk.CheckButton {
  /// Whether the box is checked.
  @MainActor
  public var isOn: ControlProperty<Bool> {
    base.property(changedBy: "toggled") { button in
      gtk_check_button_get_active(button.assumingMemoryBound(to: GtkCheckButton.self)) != 0
    } set: { button, isActive in
      gtk_check_button_set_active(button.assumingMemoryBound(to: GtkCheckButton.self), isActive ? 1 : 0)
    }
  }
}

extension Reactive where Base: Gtk.ToggleButton {
  /// Whether the button is pressed.
  @MainActor
  public var isOn: ControlProperty<Bool> {
    base.property(changedBy: "toggled") { button in
      gtk_toggle_button_get_active(button.assumingMemoryBound(to: GtkToggleButton.self)) != 0
    } set: { button, isActive in
      gtk_toggle_button_set_active(button.assumingMemoryBound(to: GtkToggleButton.self), isActive ? 1 : 0)
    }
  }
}

extension Reactive where Base: Gtk.Scale {
  /// The value, now and after each change by a person.
  @MainActor
  public var value: ControlProperty<Double> {
    base.property(changedBy: "value-changed") { scale in
      gtk_range_get_value(scale.assumingMemoryBound(to: GtkRange.self))
    } set: { scale, value in
      gtk_range_set_value(scale.assumingMemoryBound(to: GtkRange.self), value)
    }
  }
}

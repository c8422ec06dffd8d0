public import CGtk4
public import WeirControls

extension Gtk {
  /// A widget, which it keeps, unless it is a ``Window``.
  ///
  /// Its events and properties under `rx` don't, so they end with the widget and not with this. What is set by a binding
  /// to a property without events, such as `label.rx.text`, is set as long as this is kept.
  @MainActor
  open class Widget: ReactiveCompatible {
    private let kept: UnsafeMutableRawPointer?
    let weakly: WeakObject

    /// What GTK calls the type.
    open class var type: GType { gtk_widget_get_type() }

    /// Keeps a widget, which must be one of this class's type.
    public required init(_ object: UnsafeMutableRawPointer) {
      let instance = object.assumingMemoryBound(to: GTypeInstance.self)
      guard g_type_check_instance_is_a(instance, Self.type) != 0 else {
        fatalError(
          """
          A \(String(cString: g_type_name_from_instance(instance))) is no \(String(cString: g_type_name(Self.type))): \
          keep it in another class.
          """)
      }
      kept = Self.isKept ? g_object_ref_sink(object) : nil
      weakly = WeakObject(object)
    }

    isolated deinit {
      if let kept { g_object_unref(kept) }
    }

    class var isKept: Bool { true }

    /// The widget, for the functions of GTK's that have no method here.
    ///
    /// - Precondition: if it is a window, it has not been closed.
    public var object: UnsafeMutableRawPointer {
      guard let object = kept ?? weakly.with({ $0 }) else {
        fatalError("The window has been closed: let go of it when its \"destroy\" finishes.")
      }
      return object
    }

    /// The widget under the type that a function of GTK's takes.
    public func pointer<Instance>(to: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
      object.assumingMemoryBound(to: Instance.self)
    }

    /// The widget for functions that take a type which GTK keeps to itself.
    public var opaque: OpaquePointer { OpaquePointer(object) }

    /// Whether a person can use it.
    public var isEnabled: Bool {
      get { gtk_widget_get_sensitive(pointer()) != 0 }
      set { gtk_widget_set_sensitive(pointer(), newValue ? 1 : 0) }
    }

    /// Whether it is to be seen.
    public var isVisible: Bool {
      get { gtk_widget_get_visible(pointer()) != 0 }
      set { gtk_widget_set_visible(pointer(), newValue ? 1 : 0) }
    }

    /// Gives it a style class or takes it away.
    public func set(styleClass name: String, to isSet: Bool) {
      if isSet { gtk_widget_add_css_class(pointer(), name) } else { gtk_widget_remove_css_class(pointer(), name) }
    }

    /// Destroys it: all that it is subscribed for finishes.
    public func destroy() {
      g_object_run_dispose(pointer())
    }
  }
}

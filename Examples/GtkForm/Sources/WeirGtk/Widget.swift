public import CGtk4
public import WeirControls

extension Gtk {
  /// Retains a widget, unless it is a ``Window``.
  ///
  /// Its events and properties under `rx` don't, so they finish with the widget and not with this object. A binding to
  /// a property without events, such as `label.rx.text`, sets values while this object exists.
  @MainActor
  open class Widget: ReactiveCompatible {
    private let kept: UnsafeMutableRawPointer?
    let weakly: WeakObject

    /// GTK's name of the type.
    open class var type: GType { gtk_widget_get_type() }

    /// Retains a widget, which must have this class's type.
    public required init(_ object: UnsafeMutableRawPointer) {
      let instance = object.assumingMemoryBound(to: GTypeInstance.self)
      guard g_type_check_instance_is_a(instance, Self.type) != 0 else {
        fatalError(
          """
          A \(String(cString: g_type_name_from_instance(instance))) is not a \(String(cString: g_type_name(Self.type))): \
          use the class of its type.
          """)
      }
      kept = Self.isKept ? g_object_ref_sink(object) : nil
      weakly = WeakObject(object)
    }

    isolated deinit {
      if let kept { g_object_unref(kept) }
    }

    class var isKept: Bool { true }

    /// The widget, for GTK functions without a method here.
    ///
    /// - Precondition: a window has not been closed.
    public var object: UnsafeMutableRawPointer {
      guard let object = kept ?? weakly.with({ $0 }) else {
        fatalError("The window was closed: release it when the publisher of its \"destroy\" signal finishes.")
      }
      return object
    }

    /// The widget as the type that a GTK function takes.
    public func pointer<Instance>(to: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
      object.assumingMemoryBound(to: Instance.self)
    }

    /// The widget for functions whose type is private to GTK.
    public var opaque: OpaquePointer { OpaquePointer(object) }

    /// Whether a person can use the widget.
    public var isEnabled: Bool {
      get { gtk_widget_get_sensitive(pointer()) != 0 }
      set { gtk_widget_set_sensitive(pointer(), newValue ? 1 : 0) }
    }

    /// Whether the widget is visible.
    public var isVisible: Bool {
      get { gtk_widget_get_visible(pointer()) != 0 }
      set { gtk_widget_set_visible(pointer(), newValue ? 1 : 0) }
    }

    /// Adds or removes a style class.
    public func set(styleClass name: String, to isSet: Bool) {
      if isSet { gtk_widget_add_css_class(pointer(), name) } else { gtk_widget_remove_css_class(pointer(), name) }
    }

    /// Destroys the widget: all its publishers finish.
    public func destroy() {
      g_object_run_dispose(pointer())
    }
  }
}

import CGtk4

extension Gtk {
  /// Creates widgets from a description in GTK's XML.
  @MainActor
  public final class Builder {
    private let builder: OpaquePointer?

    /// Creates the widgets; an invalid description stops the program with GTK's message.
    public init(_ description: String) {
      builder = gtk_builder_new_from_string(description, -1)
    }

    isolated deinit {
      g_object_unref(UnsafeMutableRawPointer(builder))
    }

    /// The widget with this name.
    ///
    /// - Precondition: the widget exists and has the requested type.
    public subscript<Kind: Widget>(name: String) -> Kind {
      guard let object = gtk_builder_get_object(builder, name) else {
        fatalError("There is no widget with the id \(name): add the id to the description.")
      }
      return Kind(object)
    }
  }
}

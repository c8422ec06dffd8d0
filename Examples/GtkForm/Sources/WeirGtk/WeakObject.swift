import CGtk4

// Safety: GLib synchronizes its weak references.
/// A weak reference to a GLib object.
final class WeakObject: @unchecked Sendable {
  private let reference = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)

  init(_ object: UnsafeMutableRawPointer) {
    g_weak_ref_init(reference, object)
  }

  deinit {
    g_weak_ref_clear(reference)
    reference.deallocate()
  }

  /// Calls the body with the object, which is retained meanwhile; returns `nil` if it has been destroyed.
  @MainActor
  func with<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result? {
    guard let object = g_weak_ref_get(reference) else { return nil }
    defer { g_object_unref(object) }
    return body(object)
  }
}

import CGtk4
import Dispatch
import Glibc

/// The functions of GTK that publishers need.
///
/// - Threading: GTK is confined to the main thread, and so to the main actor.
public enum Gtk {
  /// Connects to the display; returns `false` without a display.
  @MainActor
  public static func open() -> Bool {
    gtk_init_check() != 0
  }

  /// Runs GTK's main loop until ``quit()``, with the work of the main queue and the main actor.
  @MainActor
  public static func run() {
    MainQueue.join()
    g_main_loop_run(loop)
  }

  /// Makes ``run()`` return.
  @MainActor
  public static func quit() {
    g_main_loop_quit(loop)
  }

  @MainActor
  private static let loop = g_main_loop_new(nil, 0)
}

/// Dispatch's main queue, on which the main actor runs, as a source of GLib's main loop.
///
/// The queue becomes readable when work is pending, and is then run as Foundation's run loop does it. Without this, a
/// `Task { @MainActor in … }` would wait forever, because the main thread never reaches `dispatchMain()`.
private enum MainQueue {
  /// Joins the main loop at the first call.
  @MainActor
  static func join() {
    _ = source
  }

  @MainActor
  private static let source: UnsafeMutablePointer<GSource>? = {
    let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
    let run: @convention(c) (gint, GIOCondition, gpointer?) -> gboolean = { handle, _, _ in
      // Read before the queue runs, so that work that arrives meanwhile makes it readable again.
      var count: UInt64 = 0
      _ = read(handle, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
      return 1
    }
    // The source calls it with these arguments, although the type differs.
    g_source_set_callback(source, unsafeBitCast(run, to: GSourceFunc.self), nil, nil)
    g_source_attach(source, nil)
    return source
  }()
}

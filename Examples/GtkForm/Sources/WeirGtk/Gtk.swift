import CGtk4
import Dispatch
import Glibc

/// GTK, as far as publishers need it.
///
/// - Threading: GTK belongs to the main thread, and so to the main actor.
public enum Gtk {
  /// Connects to the display; false if there is none.
  @MainActor
  public static func open() -> Bool {
    gtk_init_check() != 0
  }

  /// Runs GTK's main loop until ``quit()``, and in it what is sent to the main queue and the main actor.
  @MainActor
  public static func run() {
    MainQueue.join()
    g_main_loop_run(loop)
  }

  /// Has ``run()`` return.
  @MainActor
  public static func quit() {
    g_main_loop_quit(loop)
  }

  @MainActor
  private static let loop = g_main_loop_new(nil, 0)
}

/// The main queue of Dispatch, which is what the main actor runs on, as one of the sources of GLib's main loop.
///
/// The queue becomes readable when something waits, and is then run as Foundation's run loop does it. Without this a
/// `Task { @MainActor in … }` would wait for ever, since the main thread never gets to `dispatchMain()`.
private enum MainQueue {
  /// Joins the main loop, at the first call.
  @MainActor
  static func join() {
    _ = source
  }

  @MainActor
  private static let source: UnsafeMutablePointer<GSource>? = {
    let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
    let run: @convention(c) (gint, GIOCondition, gpointer?) -> gboolean = { handle, _, _ in
      // Read before, so that what comes meanwhile makes it readable again.
      var count: UInt64 = 0
      _ = read(handle, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
      return 1
    }
    // The source calls it with these arguments, whatever the type says.
    g_source_set_callback(source, unsafeBitCast(run, to: GSourceFunc.self), nil, nil)
    g_source_attach(source, nil)
    return source
  }()
}

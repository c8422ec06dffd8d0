import CGtk4
import Weir
public import WeirControls

extension Gtk.Widget {
  /// A signal of the widget with any parameters.
  ///
  /// - Demand: never exceeded. A signal that arrives without demand is dropped.
  /// - Completion and cancellation: finishes when the widget is destroyed. The publisher doesn't retain the widget.
  ///   Cancellation disconnects the handler.
  /// - Threading: subscribe on the main actor. Signals arrive there. Any thread may cancel.
  /// - Precondition: the widget has a signal with this name.
  public func signal(_ name: String) -> ControlEvent<Void> {
    ControlEvent(events: readings(of: name) { _ in })
  }

  /// The values that are read from the widget at each signal.
  func readings<Value>(
    of signal: String, read: @escaping @MainActor (UnsafeMutableRawPointer) -> Value
  ) -> TargetActionPublisher<Value> {
    let widget = weakly
    return TargetActionPublisher(
      onMainActor: { listener in
        let connection = widget.with { object in
          Connection([
            Handler(object, signal) {
              if let value = widget.with(read) { listener.send(value) }
            },
            Handler(object, "destroy") { listener.finish() },
          ])
        }
        if connection == nil { listener.finish() }
        return connection
      },
      remove: { connection in
        if let connection { widget.with(connection.end) }
      })
  }

  /// A value that a person changes, which the widget announces with a signal.
  ///
  /// GTK also sends signals for changes by the application. A property doesn't, like those of `WeirControls`: its
  /// setter blocks this library's handlers of the signal. So two properties can be bound to each other. An equal value
  /// isn't set again.
  ///
  /// - Parameters:
  ///   - signal: The signal that the widget sends when the value has changed.
  ///   - get: Reads the widget's value.
  ///   - set: Sets the widget's value.
  /// - Returns: The property, which doesn't retain the widget.
  public func property<Value: Equatable>(
    changedBy signal: String, get: @escaping @MainActor (UnsafeMutableRawPointer) -> Value,
    set: @escaping @MainActor (UnsafeMutableRawPointer, Value) -> Void
  ) -> ControlProperty<Value> {
    let widget = weakly
    return ControlProperty(
      values: readings(of: signal, read: get), get: { widget.with(get) },
      set: { value in
        widget.with { object in
          if get(object) != value { Handler.blockingAll(of: signal, object) { set(object, value) } }
        }
      })
  }
}

/// The handlers of one subscription.
@MainActor
private struct Connection {
  private let handlers: [Handler]

  init(_ handlers: [Handler]) {
    self.handlers = handlers
  }

  func end(_ object: UnsafeMutableRawPointer) {
    for handler in handlers { handler.disconnect(from: object) }
  }
}

/// A closure that is connected to a signal.
@MainActor
private struct Handler {
  private final class Action {
    let run: @MainActor () -> Void

    init(run: @escaping @MainActor () -> Void) {
      self.run = run
    }
  }

  private let number: gulong

  init(_ object: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping @MainActor () -> Void) {
    number = g_signal_connect_data(
      object, signal, unsafeBitCast(Self.callback, to: GCallback.self),
      Unmanaged.passRetained(Action(run: run)).toOpaque(),
      { action, _ in
        if let action { Unmanaged<Action>.fromOpaque(action).release() }
      }, G_CONNECT_SWAPPED)
    precondition(
      number > 0,
      """
      A \(String(cString: g_type_name_from_instance(object.assumingMemoryBound(to: GTypeInstance.self)))) has no signal \
      \(signal): the GTK documentation of the class lists its signals.
      """)
  }

  func disconnect(from object: UnsafeMutableRawPointer) {
    // An object that is being destroyed may have released it already.
    if g_signal_handler_is_connected(object, number) != 0 { g_signal_handler_disconnect(object, number) }
  }

  /// Runs a body, and blocks all of this library's handlers for a signal meanwhile.
  static func blockingAll(of signal: String, _ object: UnsafeMutableRawPointer, _ body: () -> Void) {
    let type = g_type_from_name(g_type_name_from_instance(object.assumingMemoryBound(to: GTypeInstance.self)))
    var (number, detail) = (guint(0), GQuark(0))
    g_signal_parse_name(signal, type, &number, &detail, 0)
    let (mask, callback) = (matching, unsafeBitCast(Self.callback, to: gpointer.self))
    g_signal_handlers_block_matched(object, mask, number, 0, nil, callback, nil)
    body()
    g_signal_handlers_unblock_matched(object, mask, number, 0, nil, callback, nil)
  }

  private static let matching = GSignalMatchType(G_SIGNAL_MATCH_ID.rawValue | G_SIGNAL_MATCH_FUNC.rawValue)

  // One callback for all signals. The action is the first argument, because the handler is connected as a swapped one,
  // and in C the callee may ignore further arguments. It returns false, which lets other handlers handle the signal
  // too.
  private static let callback: @convention(c) @Sendable (gpointer?) -> gboolean = { action in
    guard let action else { return 0 }
    // GTK calls handlers only on the main thread.
    nonisolated(unsafe) let found = Unmanaged<Action>.fromOpaque(action).takeUnretainedValue()
    // A handler that disconnects itself must live until it returns.
    withExtendedLifetime(found) { MainActor.assumeIsolated { found.run() } }
    return 0
  }
}

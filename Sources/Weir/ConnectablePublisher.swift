/// A publisher that sends values only after it has been connected.
///
/// - Demand: each subscriber has its own.
/// - Cancellation: cancelling the result of ``connect()`` disconnects. Subscribers stay attached.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects the publisher until the result is cancelled or released.
  func connect() -> any Cancellable

  /// Connects the publisher, and passes the connection on, if possible before the publisher sends.
  ///
  /// An implementation detail of ``autoconnect()``, with a default.
  @_documentation(visibility: internal)
  func _connect(_ keep: (any Cancellable) -> Void)
}

extension ConnectablePublisher {
  /// Passes the connection on when the publisher is connected.
  @inlinable
  public func _connect(_ keep: (any Cancellable) -> Void) {
    keep(connect())
  }
}

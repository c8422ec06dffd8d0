public import Synchronization

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

  /// Attaches a downstream; `onCancel` is called before its cancellation.
  ///
  /// An implementation detail of ``autoconnect()``, with a default.
  @_documentation(visibility: internal)
  func _attach(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void)
}

extension ConnectablePublisher {
  /// Passes the connection on when the publisher is connected.
  @inlinable
  public func _connect(_ keep: (any Cancellable) -> Void) {
    keep(connect())
  }

  /// Attaches a downstream; `onCancel` is called before its cancellation.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void) {
    attachSeparately(downstream, onCancel: onCancel)
  }

  /// Attaches the downstream of `autoconnect`.
  ///
  /// Witnesses see this publisher as a step of its own.
  @inlinable
  func attach(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void) {
    if IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) {
      attachSeparately(downstream, onCancel: onCancel)
    } else {
      _attach(downstream, onCancel: onCancel)
    }
  }

  /// Attaches a downstream behind a subscription of its own, with the name of this publisher's.
  @inlinable
  func attachSeparately(_ downstream: consuming Downstream<Output, Failure>, onCancel: @escaping () -> Void) {
    attach(downstream.resubscribed(with: TapSubscription(nil, isToConnect: true, onCancel: onCancel)))
  }
}

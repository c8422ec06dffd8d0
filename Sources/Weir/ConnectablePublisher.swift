/// A publisher that sends values only after it has been connected.
///
/// - Demand: each subscriber has its own.
/// - Cancellation: cancelling the result of ``connect()`` disconnects. Subscribers stay attached.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects the publisher until the result is cancelled or released.
  func connect() -> any Cancellable
}

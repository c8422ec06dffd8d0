/// A publisher that begins to produce only when it is told to.
///
/// - Demand: each subscriber has its own.
/// - Cancellation: cancelling what ``connect()`` returned disconnects; subscribers stay attached.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to produce, until the result is cancelled or let go.
  func connect() -> any Cancellable
}

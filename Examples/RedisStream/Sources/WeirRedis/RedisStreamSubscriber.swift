import Synchronization
public import Weir

/// Writes received values to a stream, and requests only as many as the stream has room for.
///
///     orders.subscribe(RedisStreamSubscriber(stream: "orders", bound: 10_000) { completion in … })
///
/// The room is `bound` minus the length of the stream. Before each measurement, it removes the entries at the stream's
/// beginning that all groups have acknowledged: `XTRIM MINID` with the first entry that is pending or undelivered in
/// any group. So the length counts only unprocessed entries, the memory is bounded, and no required entry is removed.
/// (A `MAXLEN` would bound the memory too, but it would drop the oldest entries, processed or not.) An unacknowledged
/// entry blocks the removal of later ones, and finally the producer, until another consumer has claimed it. While a
/// stream has no group, no entry is removed: the producer stops at the bound and waits for a group.
///
/// Several producers each request the room that they see. Together they may exceed the bound by a `batch` each.
///
/// Without a connection, requested values are buffered. Values that were sent but not confirmed when a connection was
/// lost are sent again, so the stream may contain them twice.
///
/// - Demand: as much as there is room for, at most `batch` at a time. Without room, it measures again after `poll`.
/// - Completion and cancellation: `onEnd` is called when everything is written. If the server refuses an entry, the
///   upstream is cancelled and `onEnd` receives the refusal. After ``cancel()``, received values are still written, but
///   `onEnd` isn't called.
/// - Threading: requests, and the call of `onEnd`, happen on the subscriber's own queue, or on the scheduler.
public final class RedisStreamSubscriber<Failure: Error>: Subscriber, Cancellable {
  /// The fields of an entry.
  public typealias Input = StreamFields

  /// The reason for the termination.
  public enum End: Sendable {
    /// Everything is written.
    case finished
    /// The upstream has failed; earlier values are written.
    case failed(Failure)
    /// The server refuses an entry, or the last attempt to connect has failed.
    case refused(RedisError)
  }

  private let writer: Writer<Failure>

  /// Creates a subscriber that writes to a stream, on its own queue.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - transport: The transport that connects to the server.
  ///   - bound: The maximum length of the stream.
  ///   - batch: The maximum demand of one request.
  ///   - poll: The time between measurements without room.
  ///   - backoff: The delays between attempts to connect.
  ///   - onStatus: A closure that receives the state of the connection.
  ///   - onEnd: A closure that receives the reason for the termination.
  public convenience init(
    stream: String, to transport: any RedisTransport = HiredisTransport(.init()), bound: Int, batch: Int = 500,
    poll: Duration = .milliseconds(20), backoff: Backoff = Backoff(),
    onStatus: @escaping @Sendable (RedisStatus) -> Void = { _ in }, onEnd: @escaping @Sendable (End) -> Void
  ) {
    self.init(
      stream, transport, bound, batch, poll, backoff, Lanes.queues.make("weir.redis.\(stream)"), onStatus, onEnd)
  }

  /// Creates a subscriber that writes to a stream, on a serial scheduler.
  public convenience init(
    stream: String, to transport: any RedisTransport = HiredisTransport(.init()), bound: Int, batch: Int = 500,
    poll: Duration = .milliseconds(20), backoff: Backoff = Backoff(), on scheduler: some Scheduler & Sendable,
    onStatus: @escaping @Sendable (RedisStatus) -> Void = { _ in }, onEnd: @escaping @Sendable (End) -> Void
  ) {
    self.init(stream, transport, bound, batch, poll, backoff, Lane(scheduler), onStatus, onEnd)
  }

  private init(
    _ stream: String, _ transport: any RedisTransport, _ bound: Int, _ batch: Int, _ poll: Duration,
    _ backoff: Backoff, _ lane: Lane, _ onStatus: @escaping @Sendable (RedisStatus) -> Void,
    _ onEnd: @escaping @Sendable (End) -> Void
  ) {
    if bound < 1 { fatalError("A stream subscriber requires a bound of at least 1, not \(bound).") }
    if batch < 1 { fatalError("A stream subscriber requires a batch of at least 1, not \(batch).") }
    writer = Writer(
      stream: stream, line: Line(transport, backoff, on: lane), bound: bound, batch: min(batch, bound), poll: poll,
      onStatus: onStatus, onEnd: onEnd)
  }

  // The upstream has released it without a completion, so no more values follow.
  deinit {
    writer.cancel()
  }

  /// Retains the subscription, connects, and requests as much as there is room for; cancels a second one.
  public func receive(subscription: any Subscription) {
    writer.receive(subscription)
  }

  /// Receives fields to be written.
  public func receive(_ input: StreamFields) -> Subscribers.Demand {
    writer.receive(input)
    return .none
  }

  /// Receives the completion; `onEnd` is called when everything is written.
  public func receive(completion: Subscribers.Completion<Failure>) {
    writer.receive(completion)
  }

  /// Cancels the subscription; received values are still written.
  public func cancel() {
    writer.cancel()
  }
}

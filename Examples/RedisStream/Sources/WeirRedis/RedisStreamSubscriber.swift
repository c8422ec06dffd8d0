import Synchronization
public import Weir

/// Writes what it receives to a stream, and asks for no more than there is room for.
///
///     orders.subscribe(RedisStreamSubscriber(stream: "orders", bound: 10_000) { completion in … })
///
/// The room is `bound` less the length of the stream. Before it is looked at, entries at the stream's beginning are removed
/// that all groups have acknowledged: `XTRIM MINID` with the first entry that is pending or was not given out, in any
/// group. So the length counts what is still to be done, memory is bounded, and nothing is removed that someone needs. (A
/// `MAXLEN` would bound the memory too, but by throwing away the oldest entries, done or not.) An entry that nobody
/// acknowledges holds up those behind it, and in the end the producer, until another consumer has claimed it. While a
/// stream has no group nothing is removed: the producer stops at the bound and waits for one.
///
/// Several producers each ask for what they see: together they may go over the bound by a `batch` each.
///
/// Without a connection values wait, no more of them than were asked for. What was sent and not confirmed when a connection
/// was lost is sent again, so it may be in the stream twice.
///
/// - Demand: as much as there is room for, up to `batch` at a time. When there is none, it looks again after `poll`.
/// - Completion and cancellation: the end is told when everything is written. If the server refuses an entry the upstream
///   is cancelled and the refusal told. After ``cancel()`` what was received is still written, and nothing told.
/// - Threading: the upstream is asked, and the end told, on a queue that is the subscriber's own, or on the scheduler.
public final class RedisStreamSubscriber<Failure: Error>: Subscriber, Cancellable {
  /// The fields of an entry.
  public typealias Input = StreamFields

  /// Why there is an end.
  public enum End: Sendable {
    /// Everything is written.
    case finished
    /// The upstream has failed; what came before is written.
    case failed(Failure)
    /// The server refuses an entry, or there is no connection after so many attempts.
    case refused(RedisError)
  }

  private let writer: Writer<Failure>

  /// Writes to a stream, on a queue of its own.
  ///
  /// - Parameters:
  ///   - stream: the stream's name.
  ///   - transport: connects to the server.
  ///   - bound: how long the stream may get.
  ///   - batch: how many values are asked for at once, at the most.
  ///   - poll: how long to wait when there is no room.
  ///   - backoff: when to connect again.
  ///   - onStatus: hears how it stands with the connection.
  ///   - onEnd: hears of the end.
  public convenience init(
    stream: String, to transport: any RedisTransport = HiredisTransport(.init()), bound: Int, batch: Int = 500,
    poll: Duration = .milliseconds(20), backoff: Backoff = Backoff(),
    onStatus: @escaping @Sendable (RedisStatus) -> Void = { _ in }, onEnd: @escaping @Sendable (End) -> Void
  ) {
    self.init(
      stream, transport, bound, batch, poll, backoff, Lanes.queues.make("weir.redis.\(stream)"), onStatus, onEnd)
  }

  /// Writes to a stream, on a scheduler that runs one piece of work after the other.
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
    if bound < 1 { fatalError("A stream without room takes nothing: give a bound of 1 or more.") }
    if batch < 1 { fatalError("A subscriber has to ask for something: give a batch of 1 or more.") }
    writer = Writer(
      stream: stream, line: Line(transport, backoff, on: lane), bound: bound, batch: min(batch, bound), poll: poll,
      onStatus: onStatus, onEnd: onEnd)
  }

  // The upstream has let go of it without an end, so nothing more comes.
  deinit {
    writer.cancel()
  }

  /// Keeps the subscription, connects, and asks for as much as there is room for; cancels a second one.
  public func receive(subscription: any Subscription) {
    writer.receive(subscription)
  }

  /// Takes fields to be written.
  public func receive(_ input: StreamFields) -> Subscribers.Demand {
    writer.receive(input)
    return .none
  }

  /// Takes the end, which is told when everything is written.
  public func receive(completion: Subscribers.Completion<Failure>) {
    writer.receive(completion)
  }

  /// Cancels the subscription; what was received is still written.
  public func cancel() {
    writer.cancel()
  }
}

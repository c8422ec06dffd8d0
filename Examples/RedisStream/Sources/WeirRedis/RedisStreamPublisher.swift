public import Weir

/// Publishes the entries of a stream that a group gives to one of its consumers.
///
///     RedisStreamPublisher(group: "billing", consumer: "worker-1", stream: "orders")
///       .flatMap(maxPublishers: .max(10)) { order in book(order.fields).map { order } }
///       .sink(receiveCompletion: report) { order in order.acknowledge() }
///       .store(in: &bag)
///
/// The consumers of a group share its stream. Each entry is given to one of them, and is pending for it until it is
/// acknowledged. Another consumer claims an abandoned entry after `claimAfter`. So each entry is published at least
/// once.
///
/// The first entries are those that are pending for a consumer with this name: after the start, and again after a lost
/// connection. An unacknowledged entry that this subscription has already published isn't published again.
///
/// - Demand: becomes the `COUNT` of `XREADGROUP` and `XAUTOCLAIM`. The server gives out only requested entries. So a
///   worker takes only what it can hold, and leaves the rest to others.
/// - Completion and cancellation: it never finishes. It fails if the server permanently refuses a command or an
///   acknowledgement, or after the last attempt of a limited ``Backoff``. Cancellation unblocks the connection, and
///   gives undelivered entries back to the group. Without a connection, these stay pending until another consumer
///   claims them. Delivered entries can still be acknowledged.
/// - Threading: entries are delivered on the subscription's own queue, or on the scheduler. Commands wait for their
///   answers on other queues.
public struct RedisStreamPublisher: Publisher {
  /// An entry to be acknowledged.
  public typealias Output = RedisStreamEntry

  /// The refusal of the server.
  public typealias Failure = RedisError

  /// The options of a consumer.
  public struct Options: Sendable {
    /// The idle time after which this consumer claims another one's entry; `nil` to claim none.
    ///
    /// It must exceed the time of the work, because otherwise two consumers do the same work.
    public var claimAfter: Duration?

    /// The maximum number of entries in one read.
    public var batch: Int

    /// The maximum time for which the server blocks without entries.
    public var block: Duration

    /// The delays between attempts to connect.
    public var backoff: Backoff

    /// A closure that receives the state of the connection, where entries are delivered.
    public var onStatus: @Sendable (RedisStatus) -> Void

    /// Creates options.
    public init(
      claimAfter: Duration? = .seconds(30), batch: Int = 100, block: Duration = .seconds(2),
      backoff: Backoff = Backoff(), onStatus: @escaping @Sendable (RedisStatus) -> Void = { _ in }
    ) {
      if batch < 1 { fatalError("A consumer requires a batch of at least 1, not \(batch).") }
      if block < .milliseconds(1) {
        fatalError("A consumer requires a block of at least 1 ms, because Redis blocks without limit for 0.")
      }
      self.claimAfter = claimAfter
      self.batch = batch
      self.block = block
      self.backoff = backoff
      self.onStatus = onStatus
    }
  }

  /// The group's name; it is created if necessary, and starts with the stream's first entry.
  public let group: String

  /// The consumer's name, which must be unique in the group.
  public let consumer: String

  /// The stream's name.
  public let stream: String

  let transport: any RedisTransport
  let options: Options
  let lanes: Lanes

  /// Publishes the entries of this consumer, on its own queue.
  public init(
    group: String, consumer: String, stream: String, from transport: any RedisTransport = HiredisTransport(.init()),
    options: Options = Options()
  ) {
    self.init(group: group, consumer: consumer, stream: stream, from: transport, options: options, lanes: .queues)
  }

  /// Publishes the entries of this consumer, on a serial scheduler.
  public init(
    group: String, consumer: String, stream: String, from transport: any RedisTransport = HiredisTransport(.init()),
    options: Options = Options(), on scheduler: some Scheduler & Sendable
  ) {
    self.init(
      group: group, consumer: consumer, stream: stream, from: transport, options: options, lanes: .all(on: scheduler))
  }

  private init(
    group: String, consumer: String, stream: String, from transport: any RedisTransport, options: Options, lanes: Lanes
  ) {
    self.group = group
    self.consumer = consumer
    self.stream = stream
    self.transport = transport
    self.options = options
    self.lanes = lanes
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == RedisStreamEntry, S.Failure == RedisError {
    let reader = GroupReader(self, AnySubscriber(subscriber))
    subscriber.receive(subscription: reader)
    reader.begin()
  }
}

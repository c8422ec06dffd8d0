public import Weir

/// Publishes the entries of a stream that a group gives to one of its consumers.
///
///     RedisStreamPublisher(group: "billing", consumer: "worker-1", stream: "orders")
///       .flatMap(maxPublishers: .max(10)) { order in book(order.fields).map { order } }
///       .sink(receiveCompletion: report) { order in order.acknowledge() }
///       .store(in: &bag)
///
/// Consumers of a group share its stream: each entry goes to one of them, and is kept for it until it is acknowledged.
/// What a consumer leaves behind goes to another one after `claimAfter`: each entry is published at least once.
///
/// What was given to a consumer of this name before, and not acknowledged, comes first: after the start, and again after a
/// connection was lost. What was published already by this subscription, and is not acknowledged yet, doesn't come twice.
///
/// - Demand: becomes the `COUNT` of `XREADGROUP` and `XAUTOCLAIM`. The server gives out no more than was asked for, so that
///   a worker takes only what it can hold, and leaves the rest to others.
/// - Completion and cancellation: it never finishes. It fails if the server refuses a command for good, an acknowledgement
///   too, or with a limited ``Backoff`` when there is no connection after so many attempts. A cancel wakes up the
///   connection that waits, and gives back to the group what was taken and not delivered; without a connection that stays
///   with the consumer until another one claims it. Entries that were delivered can still be acknowledged.
/// - Threading: entries are delivered on a queue that is the subscription's own, or on the scheduler. Commands wait for
///   their answers on other queues.
public struct RedisStreamPublisher: Publisher {
  /// Entries, to be acknowledged.
  public typealias Output = RedisStreamEntry

  /// What the server refuses.
  public typealias Failure = RedisError

  /// How a consumer goes about it.
  public struct Options: Sendable {
    /// How long another consumer may leave an entry alone before this one takes it over; `nil` for as long as it likes.
    ///
    /// It has to be longer than the work takes: else two will do it.
    public var claimAfter: Duration?

    /// How many entries are taken at once, at the most.
    public var batch: Int

    /// How long the server may wait for entries before it answers that there are none.
    public var block: Duration

    /// When to connect again.
    public var backoff: Backoff

    /// Hears how it stands with the connection, where entries are delivered.
    public var onStatus: @Sendable (RedisStatus) -> Void

    /// Makes options.
    public init(
      claimAfter: Duration? = .seconds(30), batch: Int = 100, block: Duration = .seconds(2),
      backoff: Backoff = Backoff(), onStatus: @escaping @Sendable (RedisStatus) -> Void = { _ in }
    ) {
      if batch < 1 { fatalError("A consumer has to take something: give a batch of 1 or more.") }
      if block < .milliseconds(1) {
        fatalError("Redis takes a wait of zero for one without an end: give a block of a millisecond or more.")
      }
      self.claimAfter = claimAfter
      self.batch = batch
      self.block = block
      self.backoff = backoff
      self.onStatus = onStatus
    }
  }

  /// The group's name; it is made if it isn't there, and begins with the stream's first entry.
  public let group: String

  /// The consumer's name, which no other one of the group may have at the same time.
  public let consumer: String

  /// The stream's name.
  public let stream: String

  let transport: any RedisTransport
  let options: Options
  let lanes: Lanes

  /// Publishes what the group gives to this consumer, on a queue of its own.
  public init(
    group: String, consumer: String, stream: String, from transport: any RedisTransport = HiredisTransport(.init()),
    options: Options = Options()
  ) {
    self.init(group: group, consumer: consumer, stream: stream, from: transport, options: options, lanes: .queues)
  }

  /// Publishes what the group gives to this consumer, on a scheduler that runs one piece of work after the other.
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

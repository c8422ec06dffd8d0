/// What the server tells of a group.
public struct GroupInfo: Hashable, Sendable {
  /// Its name.
  public let name: String

  /// How many entries were given out and are not acknowledged.
  public let pending: Int

  /// The last entry that was given out.
  public let lastDelivered: StreamID

  /// How many entries were ever given out, if the server knows.
  public let entriesRead: Int?

  /// How many entries were not given out yet, if the server knows.
  public let lag: Int?

  /// Reads what `XINFO GROUPS` has of one.
  public init?(_ reply: RedisReply) {
    let values = reply.dictionary
    guard let name = values["name"]?.text, let last = values["last-delivered-id"]?.text.flatMap(StreamID.init) else {
      return nil
    }
    self.name = name
    pending = values["pending"]?.integer ?? 0
    lastDelivered = last
    entriesRead = values["entries-read"]?.integer
    lag = values["lag"]?.integer
  }
}

/// What the server tells of a consumer.
public struct ConsumerInfo: Hashable, Sendable {
  /// Its name.
  public let name: String

  /// How many entries are kept for it until it acknowledges them.
  public let pending: Int

  /// How long it has not been heard of.
  public let idle: Duration

  /// Reads what `XINFO CONSUMERS` has of one.
  public init?(_ reply: RedisReply) {
    let values = reply.dictionary
    guard let name = values["name"]?.text else { return nil }
    self.name = name
    pending = values["pending"]?.integer ?? 0
    idle = .milliseconds(values["idle"]?.integer ?? 0)
  }
}

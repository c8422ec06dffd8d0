/// The server's information about a group.
public struct GroupInfo: Hashable, Sendable {
  /// The group's name.
  public let name: String

  /// The number of entries that were given out and are not acknowledged.
  public let pending: Int

  /// The last entry that was given out.
  public let lastDelivered: StreamID

  /// The total number of entries that were given out, if the server knows it.
  public let entriesRead: Int?

  /// The number of entries that were not given out, if the server knows it.
  public let lag: Int?

  /// Parses an element of the answer to `XINFO GROUPS`.
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

/// The server's information about a consumer.
public struct ConsumerInfo: Hashable, Sendable {
  /// The consumer's name.
  public let name: String

  /// The number of its pending entries.
  public let pending: Int

  /// The time since its last command.
  public let idle: Duration

  /// Parses an element of the answer to `XINFO CONSUMERS`.
  public init?(_ reply: RedisReply) {
    let values = reply.dictionary
    guard let name = values["name"]?.text else { return nil }
    self.name = name
    pending = values["pending"]?.integer ?? 0
    idle = .milliseconds(values["idle"]?.integer ?? 0)
  }
}

/// An entry of a stream, which is pending for this consumer until it is acknowledged.
public struct RedisStreamEntry: Sendable {
  /// The identifier of the entry.
  public let id: StreamID

  /// The contents of the entry.
  public let fields: StreamFields

  let acknowledger: Acknowledger

  /// Acknowledges the entry, which the group then removes from its pending entries.
  ///
  /// Without a connection, the acknowledgement is stored and sent after a reconnect. If the server refuses it
  /// permanently, the subscription fails with that error too. The entry then stays pending until another consumer
  /// claims it.
  ///
  /// - Threading: any thread, also after the subscription is cancelled.
  ///
  /// - Parameter heard: A closure that receives the server's confirmation, or the reason why it will never confirm, on
  ///   a queue of the connection.
  public func acknowledge(_ heard: (@Sendable (Result<Void, RedisError>) -> Void)? = nil) {
    acknowledger.acknowledge(id, heard)
  }
}

extension RedisStreamEntry: CustomStringConvertible {
  /// The identifier and the fields.
  public var description: String { "\(id) \(fields)" }
}

/// An entry of a stream, which its group keeps for this consumer until it is acknowledged.
public struct RedisStreamEntry: Sendable {
  /// Its name.
  public let id: StreamID

  /// What it says.
  public let fields: StreamFields

  let acknowledger: Acknowledger

  /// Says that the work is done: the group forgets the entry.
  ///
  /// Without a connection the acknowledgement is kept and sent when there is one again. If the server refuses it for
  /// good, the subscription fails with that error too, and the entry stays with its consumer until another claims it.
  ///
  /// - Threading: any thread, also after the subscription is cancelled.
  ///
  /// - Parameter heard: is called when the server has heard of it, or with the reason why it will not, on a queue of
  ///   the connection.
  public func acknowledge(_ heard: (@Sendable (Result<Void, RedisError>) -> Void)? = nil) {
    acknowledger.acknowledge(id, heard)
  }
}

extension RedisStreamEntry: CustomStringConvertible {
  /// The name and the fields.
  public var description: String { "\(id) \(fields)" }
}

/// An entry of a stream, which its group keeps for this consumer until it is acknowledged.
public struct RedisStreamEntry: Sendable {
  /// Its name.
  public let id: StreamID

  /// What it says.
  public let fields: StreamFields

  let acknowledger: Acknowledger

  /// Says that the work is done: the group forgets the entry.
  ///
  /// Without a connection the acknowledgement is kept and sent when there is one again.
  ///
  /// - Threading: any thread, also after the subscription is cancelled.
  ///
  /// - Parameter confirmed: is called when the server has heard of it, on a queue of the connection.
  public func acknowledge(_ confirmed: (@Sendable () -> Void)? = nil) {
    acknowledger.acknowledge(id, confirmed)
  }
}

extension RedisStreamEntry: CustomStringConvertible {
  /// The name and the fields.
  public var description: String { "\(id) \(fields)" }
}

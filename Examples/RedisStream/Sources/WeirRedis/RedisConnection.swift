/// A command: its name and its arguments.
public typealias RedisCommand = [String]

/// What connects to a server: the one place where the world comes in, and where tests put a server of their own.
public protocol RedisTransport: Sendable {
  /// Connects, and says when it has.
  ///
  /// - Parameter receive: is called once, on any thread, but never from inside this call.
  func connect(_ receive: @escaping @Sendable (Result<any RedisConnection, RedisError>) -> Void)
}

/// A connection, on which commands are answered in the order in which they were sent.
public protocol RedisConnection: AnyObject, Sendable {
  /// Sends commands together, and receives their answers together.
  ///
  /// - Parameters:
  ///   - commands: what to send.
  ///   - receive: is called once, on any thread, but never from inside this call: with as many answers as there are
  ///     commands, or with an error. After that the connection is of no use.
  func send(_ commands: [RedisCommand], _ receive: @escaping @Sendable (Result<[RedisReply], RedisError>) -> Void)

  /// Ends the connection; what is under way fails, and soon.
  func close()
}

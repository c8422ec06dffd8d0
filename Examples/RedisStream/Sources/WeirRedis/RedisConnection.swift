/// A command: its name and its arguments.
public typealias RedisCommand = [String]

/// A factory of connections to a server.
///
/// Tests replace it with a server in memory.
public protocol RedisTransport: Sendable {
  /// Connects, and reports the result.
  ///
  /// - Parameter receive: A closure that is called once, on any thread, but never during this call.
  func connect(_ receive: @escaping @Sendable (Result<any RedisConnection, RedisError>) -> Void)
}

/// A connection, which answers commands in the order in which they were sent.
public protocol RedisConnection: AnyObject, Sendable {
  /// Sends commands together, and receives their answers together.
  ///
  /// - Parameters:
  ///   - commands: The commands to send.
  ///   - receive: A closure that is called once, on any thread, but never during this call. It receives as many answers
  ///     as commands, or an error. After an error the connection can't be used.
  func send(_ commands: [RedisCommand], _ receive: @escaping @Sendable (Result<[RedisReply], RedisError>) -> Void)

  /// Closes the connection; commands in flight fail soon.
  func close()
}

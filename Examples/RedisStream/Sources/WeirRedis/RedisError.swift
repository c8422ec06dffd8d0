/// An error of the connection or the server.
public enum RedisError: Error, Hashable, Sendable {
  /// There is no connection, or it broke.
  ///
  /// The work continues with the next one.
  case connection(String)

  /// The server refuses a command, for a reason that another connection won't change.
  case server(String)
}

extension RedisError: CustomStringConvertible {
  /// The reason of the system or the server.
  public var description: String {
    switch self {
    case .connection(let reason): reason
    case .server(let reason): "the server says: \(reason)"
    }
  }
}

/// What can go wrong between here and a server.
public enum RedisError: Error, Hashable, Sendable {
  /// There is no connection, or it broke: the work goes on when there is one again.
  case connection(String)

  /// The server refuses a command, for a reason that another connection won't change.
  case server(String)
}

extension RedisError: CustomStringConvertible {
  /// The reason, as the system or the server gives it.
  public var description: String {
    switch self {
    case .connection(let reason): reason
    case .server(let reason): "the server says: \(reason)"
    }
  }
}

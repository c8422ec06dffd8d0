import Foundation

/// The address of a server, and the credentials.
public struct RedisAddress: Hashable, Sendable {
  /// The host's name or number.
  public var host: String

  /// The port.
  public var port: Int

  /// The user name, if there is a password.
  public var user: String?

  /// The password.
  public var password: String?

  /// The number of the database.
  public var database: Int

  /// Creates an address; omitted parts have the server's default values.
  public init(
    host: String = "127.0.0.1", port: Int = 6379, user: String? = nil, password: String? = nil, database: Int = 0
  ) {
    self.host = host
    self.port = port
    self.user = user
    self.password = password
    self.database = database
  }

  /// Parses an address like `redis://user:password@host:6379/0`; `nil` if it is invalid.
  public init?(url: String) {
    guard let parts = URLComponents(string: url), parts.scheme == "redis", let host = parts.host, !host.isEmpty
    else { return nil }
    let path = parts.path.drop { $0 == "/" }
    guard let database = path.isEmpty ? 0 : Int(path) else { return nil }
    let user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    self.init(host: host, port: parts.port ?? 6379, user: user, password: parts.password, database: database)
  }

  /// The first commands of a new connection.
  var greeting: [RedisCommand] {
    var commands: [RedisCommand] = []
    if let password { commands.append(["AUTH"] + (user.map { [$0] } ?? []) + [password]) }
    if database != 0 { commands.append(["SELECT", String(database)]) }
    return commands
  }
}

extension RedisAddress: CustomStringConvertible {
  /// The address, without the password.
  public var description: String { "\(host):\(port)" }
}

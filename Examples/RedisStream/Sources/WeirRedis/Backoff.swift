/// The delays between attempts to connect: increasing, and spread over time.
public struct Backoff: Sendable {
  /// The delay before the second attempt.
  public var first: Duration

  /// The maximum delay.
  public var longest: Duration

  /// The maximum number of consecutive failures; `nil` for no limit.
  public var attempts: Int?

  /// From 0 to 1: the position of the next attempt in the second half of the delay.
  ///
  /// Otherwise workers that lost a server together would all reconnect at the same time.
  public var jitter: @Sendable () -> Double

  /// Creates a backoff that doubles the delay each time.
  public init(
    first: Duration = .milliseconds(50), longest: Duration = .seconds(2), attempts: Int? = nil,
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
    self.jitter = jitter
  }

  /// The delay after consecutive failures; `nil` to stop.
  package func wait(after failures: Int) -> Duration? {
    if let attempts, failures >= attempts { return nil }
    let doubled = first * (1 << min(failures - 1, 20))
    return min(doubled, longest) * (0.5 + 0.5 * jitter())
  }
}

/// The state of the connection.
public enum RedisStatus: Hashable, Sendable {
  /// There is a connection, and the group exists.
  case connected

  /// There is no connection, for this reason.
  ///
  /// The next attempt follows after this time.
  case disconnected(RedisError, retryAfter: Duration)
}

extension RedisStatus: CustomStringConvertible {
  /// A line for a log.
  public var description: String {
    switch self {
    case .connected: "connected"
    case .disconnected(let error, let wait):
      "not connected (\(error)); next attempt in \(wait / .milliseconds(1), rounded: ()) ms; "
        + "nothing is lost if the server keeps its data"
    }
  }
}

extension String.StringInterpolation {
  fileprivate mutating func appendInterpolation(_ value: Double, rounded: Void) {
    appendInterpolation(Int(value.rounded()))
  }
}

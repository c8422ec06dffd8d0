/// How long to wait before the next attempt to connect: longer each time, and not all at once.
public struct Backoff: Sendable {
  /// The wait before the second attempt.
  public var first: Duration

  /// The longest wait.
  public var longest: Duration

  /// How many attempts in a row may fail before it is given up; `nil` for as many as it takes.
  public var attempts: Int?

  /// From 0 to 1: where in the second half of the wait the next attempt is made.
  ///
  /// Workers that lost a server together would otherwise all come back in the same moment.
  public var jitter: @Sendable () -> Double

  /// Makes a backoff that doubles the wait each time.
  public init(
    first: Duration = .milliseconds(50), longest: Duration = .seconds(2), attempts: Int? = nil,
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
    self.jitter = jitter
  }

  /// The wait after so many failures in a row; `nil` to give up.
  package func wait(after failures: Int) -> Duration? {
    if let attempts, failures >= attempts { return nil }
    let doubled = first * (1 << min(failures - 1, 20))
    return min(doubled, longest) * (0.5 + 0.5 * jitter())
  }
}

/// How it stands with the connection.
public enum RedisStatus: Hashable, Sendable {
  /// There is a connection, and the group is there.
  case connected

  /// There is none, for this reason; the next attempt is made after that time.
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

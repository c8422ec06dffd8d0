import Foundation
import WeirRedis

/// Writes a line to standard error.
@Sendable func report(_ message: String) {
  FileHandle.standardError.write(Data("RedisStream: \(message)\n".utf8))
}

/// Writes lines to standard output.
@Sendable func say(_ text: String) {
  FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

extension RedisAddress {
  /// The advice for a missing server.
  var advice: String {
    ["127.0.0.1", "localhost", "::1"].contains(host)
      ? "start one with: redis-server --port \(port) --appendonly yes"
      : "start one on \(host), or set its address with --host, --port or --url"
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}

/// A readable number per second.
func rate(_ count: Int, in time: Duration) -> String {
  "\(Int((Double(count) / max(time.seconds, 0.000_001)).rounded()))/s"
}

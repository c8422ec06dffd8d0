import Foundation
import Testing
import WeirRedis

@testable import RedisStream

/// A missing event, or a timeout.
struct Complaint: Error, CustomStringConvertible {
  let description: String
}

/// Waits for other processes: polls until a deadline.
func wait(
  for what: String, seconds: Int = 60, until condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    if ContinuousClock.now > deadline { throw Complaint(description: "waited \(seconds) s in vain for \(what)") }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// A server on a free port, with its data in a directory that is removed with it.
final class Server {
  static let isInstalled = program != nil
  static let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

  private static var program: URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy.map { URL(filePath: "\($0)/redis-server") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  let directory: URL
  let address: RedisAddress
  private let keepsData: Bool
  private var process: Process?
  private var connection: (any RedisConnection)?

  /// Starts a server; with `keepsData`, its data survives a restart.
  init(keepsData: Bool = false) async throws {
    self.keepsData = keepsData
    directory = FileManager.default.temporaryDirectory.appending(path: "weir-redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    address = RedisAddress(port: try Self.freePort())
    try await start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: directory)
  }

  func start() async throws {
    guard let program = Self.program else {
      throw Complaint(description: "redis-server isn't installed: apt-get install redis-server")
    }
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "--port", String(address.port), "--bind", "127.0.0.1", "--dir", directory.path, "--save", "",
      "--appendonly", keepsData ? "yes" : "no",
      // Otherwise a server whose disk is busy postpones writes, for up to two seconds, and a kill loses them.
      "--appendfsync", "no",
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    self.process = process
    try await wait(for: "the server", seconds: 20) {
      guard let connection = try? await HiredisTransport(address).connect() else { return false }
      self.connection = connection
      // It may still be loading its data.
      return try await connection.send([["PING"]]) == [.text("PONG")]
    }
  }

  /// Kills the server, as in a power failure.
  func kill() {
    guard let process, process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Shuts the server down, as an administrator does.
  func shutDown() async {
    _ = try? await connection?.send([["SHUTDOWN", "NOSAVE"]])
    process?.waitUntilExit()
  }

  func send(_ command: String...) async throws -> RedisReply {
    guard let connection else { throw Complaint(description: "there is no connection") }
    return try await connection.send([command])[0]
  }

  /// The information about the only group, or `nil` without a group.
  func group() async throws -> GroupInfo? {
    try await send("XINFO", "GROUPS", "orders").elements.first.flatMap(GroupInfo.init)
  }

  /// The total number of entries that were written.
  func added() async throws -> Int {
    try await send("XINFO", "STREAM", "orders").dictionary["entries-added"]?.integer ?? 0
  }

  /// Whether all entries were given out and acknowledged.
  ///
  /// The server may not know the number of read entries, and the lag, after a restart.
  func isWorkedOff() async throws -> Bool {
    let last = try await send("XINFO", "STREAM", "orders").dictionary["last-generated-id"]?.text
    guard let group = try await group() else { return false }
    return group.lastDelivered.description == last && group.pending == 0
  }

  private static func freePort() throws -> Int {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound else { throw Complaint(description: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

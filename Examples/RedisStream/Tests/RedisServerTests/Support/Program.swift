import Foundation
import WeirRedis

/// The program as a process.
final class Program {
  private let process = Process()
  private let output: URL
  private let errors: URL

  init(
    _ arguments: [String], in directory: URL, environment: [String: String] = [:], on terminal: Terminal? = nil
  ) throws {
    let name = UUID().uuidString
    output = directory.appending(path: "\(name).out")
    errors = directory.appending(path: "\(name).err")
    for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "RedisStream")
    process.arguments = arguments
    process.environment = environment
    process.standardOutput = try terminal?.end ?? FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  convenience init(_ arguments: String..., on server: Server) throws {
    try self.init(arguments + ["--port", String(server.address.port)], in: server.directory)
  }

  deinit {
    kill()
    for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
  }

  var isRunning: Bool { process.isRunning }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func terminate() {
    if process.isRunning { process.terminate() }
  }

  /// Waits for the end, and returns the exit status.
  func end(seconds: Int = 60) async throws -> Int32 {
    try await wait(for: "the end of \(process.arguments ?? [])", seconds: seconds) { !process.isRunning }
    return process.terminationStatus
  }

  var said: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
  var complained: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
}

/// A terminal for a program.
final class Terminal {
  /// The program's end of the terminal.
  let end: FileHandle

  private let screen: Int32
  private var shown = ""

  init() throws {
    var (screen, end): (Int32, Int32) = (-1, -1)
    guard openpty(&screen, &end, nil, nil, nil) == 0 else {
      throw Complaint(description: "there is no terminal: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(screen, F_SETFL, O_NONBLOCK)
    self.screen = screen
    self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
  }

  deinit {
    close(screen)
  }

  /// The text since the terminal was cleared.
  func text() -> String {
    shown = (shown + readAll(screen)).components(separatedBy: "\u{1B}[J").last ?? ""
    return shown.replacing("\r\n", with: "\n")
  }
}

/// The available bytes, without waiting for more.
func readAll(_ file: Int32) -> String {
  var all: [UInt8] = []
  var bytes = [UInt8](repeating: 0, count: 4096)
  while case let count = read(file, &bytes, bytes.count), count > 0 { all += bytes[..<count] }
  return String(decoding: all, as: UTF8.self)
}

/// The journals of all workers.
struct Journals {
  let directory: URL

  func path(_ consumer: String) -> String { directory.appending(path: "journal-\(consumer)").path }

  /// The numbers of the completed entries in all journals.
  func numbers() throws -> [Int] {
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    return try files.filter { $0.lastPathComponent.hasPrefix("journal-") }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
        line.split(separator: "=").last.flatMap { Int($0) }
      }
    }
  }
}

/// Pseudo-random numbers that are the same in each run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

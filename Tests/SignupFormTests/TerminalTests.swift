// Other systems start no processes.
#if os(Linux) || os(macOS)
import Foundation
import Testing

@testable import TestSupport

@Suite("The program in a terminal", .enabled(if: PseudoTerminal.hasProgram("SignupForm")))
struct TerminalTests {
  @Test("fills in the form, follows the size of its window, and restores the terminal after Esc")
  func program() async throws {
    let terminal = try PseudoTerminal()
    terminal.resize(columns: 80, rows: 24)
    let program = try terminal.run("SignupForm", "--taken", "/dev/null")
    defer { if program.isRunning { kill(program.processIdentifier, SIGKILL) } }
    await until { terminal.picture.contains("Esc leaves") }
    #expect(terminal.all.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"))

    terminal.press("\u{1B}[200~new_name\r\u{1B}[201~")
    await until { terminal.picture.contains("available") }
    #expect(terminal.picture.contains("› Username  new_name"))
    terminal.press("\t" + String(repeating: "long", count: 2000))
    await until { terminal.picture.contains("›") && terminal.picture.contains("  ok") }

    terminal.resize(columns: 40, rows: 4)
    kill(program.processIdentifier, SIGWINCH)
    await until { terminal.picture.split(separator: "\r\n", omittingEmptySubsequences: false).count == 4 }
    #expect(terminal.picture.contains("› Password"))

    terminal.press("\u{1B}")
    await until { !program.isRunning }
    #expect(program.terminationReason == .exit && program.terminationStatus == 0)
    #expect(terminal.all.hasSuffix("\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test("leaves with status 130 after Ctrl-C, also within an escape sequence")
  func interrupt() async throws {
    let terminal = try PseudoTerminal()
    let program = try terminal.run("SignupForm", "--taken", "/dev/null")
    defer { if program.isRunning { kill(program.processIdentifier, SIGKILL) } }
    await until { terminal.picture.contains("Esc leaves") }
    terminal.press("\u{1B}[\u{03}")
    await until { !program.isRunning }
    #expect(program.terminationReason == .exit && program.terminationStatus == 130)
  }

  @Test("leaves when its terminal is closed")
  func hangUp() async throws {
    let terminal = try PseudoTerminal()
    let program = try terminal.run("SignupForm", "--taken", "/dev/null")
    defer { if program.isRunning { kill(program.processIdentifier, SIGKILL) } }
    await until { terminal.picture.contains("Esc leaves") }
    terminal.hangUp()
    await until { !program.isRunning }
    #expect(program.terminationReason == .exit && program.terminationStatus == 0)
  }
}

/// A terminal without a window.
private final class PseudoTerminal {
  /// The folder of the test's executable, which has the programs of this package too.
  private static var products: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }

  static func hasProgram(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: products.appending(path: name).path)
  }

  private var screen: Int32
  private let end: FileHandle

  private var bytes: [UInt8] = []

  struct Unavailable: Error {}

  init() throws {
    var (screen, end): (Int32, Int32) = (-1, -1)
    guard openpty(&screen, &end, nil, nil, nil) == 0 else { throw Unavailable() }
    self.screen = screen
    self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    _ = fcntl(screen, F_SETFL, O_NONBLOCK)
    // A program that inherits a terminal keeps it open.
    for file in [screen, end] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    hangUp()
  }

  func hangUp() {
    if screen >= 0 { close(screen) }
    screen = -1
  }

  /// Starts a program of this package.
  func run(_ name: String, _ arguments: String...) throws -> Process {
    let program = Process()
    program.executableURL = Self.products.appending(path: name)
    program.arguments = arguments
    program.standardInput = end
    program.standardOutput = end
    try program.run()
    return program
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
  }

  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(screen, $0.baseAddress, $0.count) }
      if count > 0 { written += count } else if errno != EAGAIN && errno != EINTR { return }
    }
  }

  /// All that was written.
  var all: String {
    var next = [UInt8](repeating: 0, count: 65536)
    while case let count = read(screen, &next, next.count), count > 0 { bytes += next[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The last picture without styles.
  var picture: String {
    let last = all.components(separatedBy: "\u{1B}[H").last ?? ""
    return last.replacing(#/\x1B\[[0-9;?]*[A-Za-z]/#, with: "")
  }
}
#endif

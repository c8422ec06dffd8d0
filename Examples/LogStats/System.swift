#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An error that ends the program, with its exit status from `sysexits.h`.
struct Problem: Error, Equatable {
  let message: String
  let status: Int32

  /// The arguments are invalid.
  static func usage(_ message: String) -> Problem { Problem(message: message, status: 64) }

  /// The input doesn't exist or can't be opened.
  static func noInput(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 66)
  }

  /// The output file can't be created.
  static func cannotCreate(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 73)
  }

  /// Reading or writing failed.
  static func inputOutput(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 74)
  }

  /// The reader of the output has exited.
  ///
  /// The status is the one that a shell reports for the signal.
  static func brokenPipe(_ name: String) -> Problem {
    Problem(message: "\(name): its reader has closed the pipe", status: 128 + SIGPIPE)
  }

  private static func reason(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// The source of bytes: a file, or an open descriptor.
struct Input: Equatable {
  let name: String

  /// Without a descriptor, the name is a path.
  var descriptor: Int32?

  var isTerminal: Bool { descriptor.map { isatty($0) == 1 } ?? false }

  /// The number of bytes, if it can be determined.
  func size() throws(Problem) -> Int? {
    var status = stat()
    guard (descriptor.map { fstat($0, &status) } ?? stat(name, &status)) == 0 else { throw .noInput(name) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .noInput(name, EISDIR)
    case S_IFREG: return Int(status.st_size)
    default: return nil
    }
  }
}

/// A file that is open for reading, and is closed at its deallocation.
struct OpenFile: ~Copyable {
  private let name: String
  private let descriptor: Int32

  init(_ input: Input) throws(Problem) {
    name = input.name
    descriptor = input.descriptor.map { dup($0) } ?? open(input.name, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .noInput(input.name) }
  }

  deinit { close(descriptor) }

  /// The next bytes, at most `count`; none at the end.
  func next(atMost count: Int) throws(Problem) -> [UInt8] {
    while true {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        let result = read(descriptor, buffer.baseAddress, count)
        code = result < 0 ? errno : 0
        initializedCount = max(result, 0)
      }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN: wait(for: POLLIN, of: descriptor)
      case EISDIR: throw .noInput(name, code)
      default: throw .inputOutput(name, code)
      }
    }
  }
}

/// Waits until bytes can be read or written.
///
/// Another process may have made a shared descriptor, such as a terminal, nonblocking.
private func wait(for event: Int32, of descriptor: Int32) {
  var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  poll(&request, 1, -1)
}

/// The destination of bytes.
struct Output {
  let name: String
  let descriptor: Int32

  /// Whether this file did not exist before.
  var isNew = false

  /// A file that is created if necessary, and keeps its content until ``replaceContent(with:)``.
  ///
  /// It must not be one of the inputs, whose content would be lost.
  static func file(_ path: String, sparing inputs: [Input]) throws(Problem) -> Output {
    var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    let isNew = descriptor >= 0
    if !isNew { descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .cannotCreate(path) }
    var (own, other) = (stat(), stat())
    fstat(descriptor, &own)
    for input in inputs {
      let result = input.descriptor.map { fstat($0, &other) } ?? stat(input.name, &other)
      guard result == 0, (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino) else { continue }
      guard own.st_mode & S_IFMT == S_IFREG else { continue }
      close(descriptor)
      throw .usage("\(path) is an input: choose another file for the plot")
    }
    return Output(name: path, descriptor: descriptor, isNew: isNew)
  }

  /// Removes a file that did not exist before.
  func discard() {
    close(descriptor)
    if isNew { unlink(name) }
  }

  func write(_ text: String) throws(Problem) {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws(Problem) {
    var start = 0
    while start < bytes.count {
      let (count, code) = bytes.withUnsafeBytes { buffer in
        let rest = buffer[start...]
        return (send(UnsafeRawBufferPointer(rebasing: rest), to: descriptor), errno)
      }
      if count >= 0 {
        start += count
      } else if code == EPIPE {
        throw .brokenPipe(name)
      } else if code == EAGAIN {
        wait(for: POLLOUT, of: descriptor)
      } else if code != EINTR {
        throw .inputOutput(name, code)
      }
    }
  }

  func replaceContent(with text: String) throws(Problem) {
    ftruncate(descriptor, 0)  // A target that is not a file, such as /dev/stdout, has no content.
    try write(text)
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal.
  var columns: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether the output is a terminal that supports colors, and the user allows them.
  var takesColors: Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

private func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Creates a write without a reader fail, instead of silently ending the process.
func reportBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}

extension UnsafeRawBufferPointer {
  /// The first position of a byte.
  func firstOffset(of byte: UInt8) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let baseAddress, let otherAddress = other.baseAddress else { return true }
    return memcmp(baseAddress, otherAddress, count) == 0
  }
}

func exitProcess(_ status: Int32) -> Never {
  exit(status)
}

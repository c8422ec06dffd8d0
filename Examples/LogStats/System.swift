#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What ends the program, with the exit status that `sysexits.h` has for it.
struct Problem: Error, Equatable {
  let message: String
  let status: Int32

  /// The arguments make no sense.
  static func usage(_ message: String) -> Problem { Problem(message: message, status: 64) }

  /// There is nothing to read there, or it can't be opened.
  static func noInput(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 66)
  }

  /// The file that is to be written can't be made.
  static func cannotCreate(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 73)
  }

  /// Reading or writing failed on the way.
  static func inputOutput(_ name: String, _ code: Int32 = errno) -> Problem {
    Problem(message: "\(name): \(reason(code))", status: 74)
  }

  /// Who was to read the output has gone: the status is the one that a shell reports for the signal.
  static func brokenPipe(_ name: String) -> Problem {
    Problem(message: "\(name): its reader has gone", status: 128 + SIGPIPE)
  }

  private static func reason(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Where bytes come from: a file, or what is open already.
struct Input: Equatable {
  let name: String

  /// Without one, the name is a path.
  var descriptor: Int32?

  var isTerminal: Bool { descriptor.map { isatty($0) == 1 } ?? false }

  /// How many bytes there are, if that can be known.
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

/// A file that is open for reading, and is closed when nobody has it any more.
struct OpenFile: ~Copyable {
  private let name: String
  private let descriptor: Int32

  init(_ input: Input) throws(Problem) {
    name = input.name
    descriptor = input.descriptor.map { dup($0) } ?? open(input.name, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .noInput(input.name) }
  }

  deinit { close(descriptor) }

  /// The next bytes, so many at the most: none at the end.
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

/// Waits until there is something to read, or room to write: somebody else may have set what is shared with others, such as
/// a terminal, to answer at once.
private func wait(for event: Int32, of descriptor: Int32) {
  var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  poll(&request, 1, -1)
}

/// Where bytes go.
struct Output {
  let name: String
  let descriptor: Int32

  /// Whether this is a file that was not there before.
  var isNew = false

  /// A file that is made if it isn't there, and keeps what it has until ``replaceContent(with:)``.
  ///
  /// It must not be one of those that are read: they would be lost.
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
      throw .usage("\(path) is to be read: give the plot another name")
    }
    return Output(name: path, descriptor: descriptor, isNew: isNew)
  }

  /// Leaves nothing behind that was not there before.
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
    ftruncate(descriptor, 0)  // What is no file, such as /dev/stdout, has nothing to lose.
    try write(text)
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How many characters fit on a line of the terminal.
  var columns: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether a person sees it who doesn't mind colours.
  var takesColors: Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

private func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Lets a write to what nobody reads any more fail, instead of ending the process without a word.
func reportBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}

extension UnsafeRawBufferPointer {
  /// Where a byte is first.
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

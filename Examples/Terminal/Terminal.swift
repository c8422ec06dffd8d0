import Dispatch
import Foundation
package import Weir

/// A publisher of keys, and a screen to draw on.
@MainActor
package protocol Display: AnyObject {
  var keys: PassthroughSubject<Key, Never> { get }

  /// Sends when the size of the window changes.
  var resizes: PassthroughSubject<Void, Never> { get }

  var size: WindowSize { get }

  func open()
  func close()

  /// Draws lines from the top, and clears the rest; a small window shows the lines around the focus.
  func draw(_ lines: [String], focus: Range<Int>)
}

/// The terminal.
@MainActor
package final class Terminal: Display {
  package let keys = PassthroughSubject<Key, Never>()
  package let resizes = PassthroughSubject<Void, Never>()

  private let input: Int32
  private let output: Int32
  private var original: termios?
  private var sources: [any DispatchSourceProtocol] = []
  private var decoder = KeyDecoder()
  private var bytes = [UInt8](repeating: 0, count: 65536)
  private var reads = 0

  /// Creates a terminal on two file descriptors.
  package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    self.input = input
    self.output = output
  }

  /// Takes over the terminal, until ``close()`` or the end of the process by a signal.
  package func open() {
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { return }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(input, TCSAFLUSH, &settings)
    // The other screen, no cursor, no line wrap, and marks around a paste.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h")

    let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)
    source.setEventHandler { [unowned self] in MainActor.assumeIsolated { self.read() } }
    watch(source)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      onSignal(number) { [unowned self] in
        close()
        exit(128 + number)
      }
    }
    onSignal(SIGWINCH) { [unowned self] in resizes.send() }
  }

  /// Restores the terminal.
  package func close() {
    guard var original else { return }
    write("\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(input, TCSAFLUSH, &original)
    self.original = nil
  }

  /// The size of the window; 80 columns and 24 rows if the terminal doesn't know it.
  package var size: WindowSize {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return WindowSize(columns: 80, rows: 24)
    }
    return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  package func draw(_ lines: [String], focus: Range<Int>) {
    let size = size
    let lines = lines.visible(in: size, focus: focus)
    // Each line is cleared before its text: behind a full line, the cursor is on the last character.
    let text = lines.map { "\u{1B}[K\($0)" }.joined(separator: "\r\n")
    write("\u{1B}[H" + text + (lines.count < size.rows ? "\r\n\u{1B}[J" : ""))
  }

  private func read() {
    let count = Foundation.read(input, &bytes, bytes.count)
    if count > 0 {
      send(decoder.keys(in: bytes.prefix(count)))
      reads += 1
      if decoder.hasLoneEscape { flush(unlessReadAfter: reads) }
    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
      // The terminal was closed: no further key can arrive.
      sources.first?.cancel()
      keys.send(.leave)
    }
  }

  /// Waits for the rest of an escape sequence; without it, the escape is the key.
  private func flush(unlessReadAfter number: Int) {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      guard let self, reads == number else { return }
      send(decoder.flush())
    }
  }

  private func send(_ keys: [Key]) {
    for key in keys { self.keys.send(key) }
  }

  private func onSignal(_ number: Int32, _ action: @escaping @MainActor () -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { action() } }
    watch(source)
  }

  private func watch(_ source: any DispatchSourceProtocol) {
    sources.append(source)
    source.activate()
  }

  /// Writes a text, as far as the terminal takes it: one that was closed takes nothing.
  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}

import Dispatch
import Foundation
package import Weir

/// A key.
package enum Key: Equatable {
  case tab, backTab, up, down, left, right, enter, backspace, leave, interrupt
  case character(Character)
}

/// The terminal: a publisher of keys, and a screen to draw on.
@MainActor
package final class Terminal {
  package let keys = PassthroughSubject<Key, Never>()
  package let resizes = PassthroughSubject<Void, Never>()

  private var original: termios?
  private var sources: [any DispatchSourceProtocol] = []
  private var decoder = KeyDecoder()

  package init() {}

  /// Takes over the terminal, until ``close()`` or the end of the process by a signal.
  package func open() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    write("\u{1B}[?1049h\u{1B}[?25l")

    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [unowned self] in MainActor.assumeIsolated { self.read() } }
    watch(input)
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
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
    self.original = nil
  }

  /// Draws lines from the top, and clears the rest.
  package func draw(_ lines: [String]) {
    write("\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 {
      for key in decoder.keys(in: bytes.prefix(count)) { keys.send(key) }
    } else if count == 0 {
      keys.send(.leave)  // The terminal was closed.
    }
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

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}

/// Decodes the bytes of a terminal to keys.
package struct KeyDecoder {
  /// The beginning of an incomplete character.
  private var partial: [UInt8] = []

  package init() {}

  /// The keys of one read.
  ///
  /// An escape without further bytes in the same read is the escape key.
  package mutating func keys(in bytes: some Collection<UInt8>) -> [Key] {
    var rest = (partial + bytes)[...]
    partial = []
    var keys: [Key] = []
    while let byte = rest.first {
      switch byte {
      case 0x03: keys.append(.interrupt)
      case 0x04: keys.append(.leave)
      case 0x09: keys.append(.tab)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x1B:
        if let key = escapeSequence(&rest) { keys.append(key) }
        continue
      case 0x20...:
        guard let character = character(&rest) else {
          partial = Array(rest)
          return keys
        }
        if let character { keys.append(.character(character)) }
        continue
      default: break
      }
      rest.removeFirst()
    }
    return keys
  }

  /// Decodes a sequence like `ESC [ A`; drops an unknown sequence completely.
  private func escapeSequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    rest.removeFirst()
    guard let introducer = rest.first, introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else {
      if rest.isEmpty { return .leave }
      return nil
    }
    rest.removeFirst()
    while let byte = rest.popFirst() {
      guard 0x40...0x7E ~= byte else { continue }
      switch byte {
      case UInt8(ascii: "A"): return .up
      case UInt8(ascii: "B"): return .down
      case UInt8(ascii: "C"): return .right
      case UInt8(ascii: "D"): return .left
      case UInt8(ascii: "Z"): return .backTab
      default: return nil
      }
    }
    return nil
  }

  /// Decodes a character in UTF-8: `nil` if it is incomplete, and a nested `nil` if the bytes are invalid.
  private func character(_ rest: inout ArraySlice<UInt8>) -> Character?? {
    guard let first = rest.first else { return .none }
    let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    if rest.count < length { return .none }
    let bytes = rest.prefix(length)
    rest = rest.dropFirst(length)
    return .some(String(validating: bytes, as: UTF8.self)?.first)
  }
}

/// Decodes the bytes of a terminal to keys.
///
/// A read may end anywhere: within a character, within an escape sequence or within a paste. The next read continues
/// there.
package struct KeyDecoder {
  private static let escape: UInt8 = 0x1B
  private static let interrupt: UInt8 = 0x03
  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  /// The beginning of an incomplete character or escape sequence.
  private var partial: [UInt8] = []

  /// The bytes of a paste whose end has not arrived.
  private var paste: [UInt8]?

  package init() {}

  /// Whether the last byte was an escape, which is a key only if no byte follows soon.
  package var hasLoneEscape: Bool { partial == [Self.escape] }

  /// Returns the escape key if an escape is pending.
  ///
  /// The terminal calls this when no byte has followed for a short time.
  package mutating func flush() -> [Key] {
    guard hasLoneEscape else { return [] }
    partial = []
    return [.leave]
  }

  /// Returns the keys that one read completes.
  package mutating func keys(in bytes: some Collection<UInt8>) -> [Key] {
    var rest = (partial + bytes)[...]
    partial = []
    var keys: [Key] = []
    while !rest.isEmpty {
      if paste != nil {
        guard let text = pastedText(&rest) else { return keys }
        keys.append(.paste(text))
        continue
      }
      switch Self.token(&rest) {
      case .key(let key): keys.append(key)
      case .nothing: break
      case .paste: paste = []
      case .incomplete:
        partial = Array(rest)
        return keys
      }
    }
    return keys
  }

  /// Collects the bytes of a paste, and returns its text if its end has arrived.
  ///
  /// Ctrl-C ends a paste too, so that it still works if the end of a paste never arrives.
  private mutating func pastedText(_ rest: inout ArraySlice<UInt8>) -> String? {
    var bytes = paste ?? []
    paste = nil
    // Performance: the search continues where the end can begin, so a paste in many reads takes linear time.
    var index = max(0, bytes.count - Self.endOfPaste.count + 1)
    bytes += rest
    while let next = bytes[index...].firstIndex(where: { $0 == Self.escape || $0 == Self.interrupt }) {
      if bytes[next] == Self.interrupt {
        rest = bytes[next...]
        return String(decoding: bytes[..<next], as: UTF8.self)
      }
      if bytes[next...].starts(with: Self.endOfPaste) {
        rest = bytes[(next + Self.endOfPaste.count)...]
        return String(decoding: bytes[..<next], as: UTF8.self)
      }
      index = next + 1
    }
    paste = bytes
    rest = []
    return nil
  }

  private enum Token {
    case key(Key)
    /// Bytes without a meaning here.
    case nothing
    /// The beginning of a paste.
    case paste
    /// More bytes are needed; none has been taken.
    case incomplete
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> Token {
    guard let byte = rest.first else { return .incomplete }
    if byte == escape { return escapeSequence(&rest) }
    if byte >= 0x20, byte != 0x7F { return character(&rest) }
    rest.removeFirst()
    switch byte {
    case interrupt: return .key(.interrupt)
    case 0x04: return .key(.leave)
    case 0x09: return .key(.tab)
    case 0x0A, 0x0D: return .key(.enter)
    case 0x08, 0x7F: return .key(.backspace)
    default: return .nothing
    }
  }

  /// Decodes a sequence like `ESC [ A`, `ESC [ 3 ~` or `ESC O H`; drops an unknown sequence completely.
  ///
  /// A byte that can't be part of a sequence ends it, and is decoded by itself.
  private static func escapeSequence(_ rest: inout ArraySlice<UInt8>) -> Token {
    var bytes = rest.dropFirst()
    guard let introducer = bytes.popFirst() else { return .incomplete }
    guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else {
      rest.removeFirst()
      return .nothing
    }
    var parameters: [UInt8] = []
    while let byte = bytes.first {
      guard 0x20...0x7E ~= byte else {
        rest = bytes
        return .nothing
      }
      bytes.removeFirst()
      parameters.append(byte)
      // The Linux console sends function keys as `ESC [ [ A`.
      let isFunctionKey = parameters == [UInt8(ascii: "[")]
      guard byte >= 0x40, !isFunctionKey else { continue }
      rest = bytes
      return key(parameters.dropLast(), final: byte)
    }
    return .incomplete
  }

  private static func key(_ parameters: ArraySlice<UInt8>, final: UInt8) -> Token {
    if parameters.first == UInt8(ascii: "[") { return .nothing }
    switch final {
    case UInt8(ascii: "A"): return .key(.up)
    case UInt8(ascii: "B"): return .key(.down)
    case UInt8(ascii: "C"): return .key(.right)
    case UInt8(ascii: "D"): return .key(.left)
    case UInt8(ascii: "F"): return .key(.end)
    case UInt8(ascii: "H"): return .key(.home)
    case UInt8(ascii: "Z"): return .key(.backTab)
    case UInt8(ascii: "~"):
      // A second parameter tells the modifiers.
      switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
      case "1", "7": return .key(.home)
      case "4", "8": return .key(.end)
      case "3": return .key(.delete)
      case "200": return .paste
      default: return .nothing
      }
    default: return .nothing
    }
  }

  /// Decodes a character in UTF-8.
  private static func character(_ rest: inout ArraySlice<UInt8>) -> Token {
    guard let first = rest.first else { return .incomplete }
    let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    if rest.count < length { return .incomplete }
    let bytes = rest.prefix(length)
    rest = rest.dropFirst(length)
    return String(validating: bytes, as: UTF8.self)?.first.map { .key(.character($0)) } ?? .nothing
  }
}

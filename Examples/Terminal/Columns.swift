/// The size of a terminal's window.
package struct WindowSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension Character {
  /// East Asian characters that take two columns; emoji are recognized by their properties.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF, 0x1B000...0x1B2FF,
    0x1F200...0x1F265, 0x1F300...0x1F320, 0x20000...0x3FFFD,
  ]

  /// The number of columns that a terminal needs for the character: 0, 1 or 2.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // Performance: most characters are ASCII.
    if first.isASCII, first.value >= 0x20, first.value != 0x7F, unicodeScalars.count == 1 { return 1 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    if Self.wide.contains(where: { $0.contains(first.value) }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return 1
    }
  }
}

extension StringProtocol {
  /// The number of columns that a terminal needs for the text, which has no escape sequences.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Returns the beginning of the text that fits a number of columns, with all its escape sequences.
  ///
  /// The sequences behind the last visible character are kept, because they end its style.
  package func clipped(to columns: Int) -> String {
    var clipped = ""
    var used = 0
    var isInSequence = false
    for character in self {
      if character == "\u{1B}" {
        isInSequence = true
        clipped.append(character)
      } else if isInSequence {
        clipped.append(character)
        // A combining mark behind a sequence is part of the last character of the sequence.
        if let first = character.unicodeScalars.first, 0x40...0x7E ~= first.value, first != "[" { isInSequence = false }
      } else if used <= columns {
        // Behind a wide character that doesn't fit, a narrow one would be out of its place.
        used += character.columns
        if used <= columns { clipped.append(character) }
      }
    }
    return clipped
  }
}

extension Array where Element == String {
  /// Returns the lines that a window shows: those around the focus, clipped to its columns.
  ///
  /// - Parameters:
  ///   - size: The size of the window.
  ///   - focus: The lines to keep visible. If they don't fit, the first ones are visible.
  /// - Returns: The lines, of which there are at most as many as the window has rows.
  package func visible(in size: WindowSize, focus: Range<Int>) -> [String] {
    let top = Swift.min(focus.lowerBound, Swift.max(0, focus.upperBound - size.rows))
    return dropFirst(top).prefix(Swift.max(0, size.rows)).map { $0.clipped(to: size.columns) }
  }
}

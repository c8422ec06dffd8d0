import ExampleTerminal
import WeirControls

/// A text field with a cursor, which the controls of `WeirControls` don't have.
///
/// Each edit sends `editingChanged` once.
@MainActor
struct FieldEditor {
  let field: TextField

  /// The number of characters behind the cursor.
  private var behind = 0

  init(field: TextField) {
    self.field = field
  }

  /// The number of characters before the cursor.
  var cursor: Int {
    let count = field.text.count
    return count - min(behind, count)
  }

  /// Inserts a text at the cursor.
  ///
  /// The field has one line: line breaks and tabs become spaces, those at the end are dropped, and so are other control
  /// characters.
  mutating func insert(_ text: some StringProtocol) {
    var line = ""
    for character in text {
      if character.isNewline || character == "\t" {
        line.append(" ")
      } else if character.unicodeScalars.first?.properties.generalCategory != .control {
        line.append(character)
      }
    }
    if text.last?.isNewline == true { line = String(line.reversed().drop { $0 == " " }.reversed()) }
    guard !line.isEmpty else { return }
    replace(0..<0, with: line)
  }

  /// Deletes the character before the cursor.
  mutating func deleteBackward() {
    if cursor > 0 { replace(-1..<0, with: "") }
  }

  /// Deletes the character behind the cursor.
  mutating func deleteForward() {
    if behind > 0 { replace(0..<1, with: "") }
  }

  /// Deletes the text.
  mutating func clear() {
    behind = 0
    field.clear()
  }

  /// Moves the cursor by a number of characters; it stays in the text.
  mutating func move(by distance: Int) {
    let count = field.text.count
    behind = min(max(min(behind, count) - distance, 0), count)
  }

  mutating func moveToStart() { behind = field.text.count }
  mutating func moveToEnd() { behind = 0 }

  /// Replaces characters, whose offsets are relative to the cursor, and sends the event.
  private mutating func replace(_ offsets: Range<Int>, with replacement: String) {
    field.beginEditing()
    guard field.isUsable, field.isEditing else { return }
    var text = field.text
    let cursor = text.index(text.startIndex, offsetBy: cursor)
    let start = text.index(cursor, offsetBy: offsets.lowerBound)
    let end = text.index(cursor, offsetBy: offsets.upperBound)
    behind = text[end...].count
    text.replaceSubrange(start..<end, with: replacement)
    field.text = text
    field.sendActions(for: .editingChanged)
  }
}

/// The part of a line around a cursor that fits a width.
struct LineWindow: Equatable {
  private(set) var before = ""
  /// The character at the cursor, or a space at the end of the line.
  private(set) var atCursor = " "
  private(set) var behind = ""

  init(_ line: String, cursor: Int, width: Int) {
    let characters = Array(line)
    var (start, end) = (min(cursor, characters.count), min(cursor + 1, characters.count))
    if start < end { atCursor = String(characters[start]) }
    let next = end
    var room = width - atCursor.columns
    while start > 0, characters[start - 1].columns <= room {
      start -= 1
      room -= characters[start].columns
    }
    before = String(characters[start..<min(cursor, characters.count)])
    while end < characters.count, characters[end].columns <= room {
      room -= characters[end].columns
      end += 1
    }
    behind = String(characters[next..<end]) + String(repeating: " ", count: max(0, room))
  }
}

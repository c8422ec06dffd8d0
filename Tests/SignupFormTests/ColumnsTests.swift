import ExampleTerminal
import Testing

@testable import SignupForm

@Suite("The lines of a window")
struct ColumnsTests {
  @Test(
    "count the columns of their characters",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("•", 1), ("…", 1), ("漢", 2), ("カ", 2), ("한", 2), ("Ａ", 2), ("👍", 2),
      ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤️", 2), ("❤", 1), ("𠮷", 2), ("\u{301}", 0), ("\u{200B}", 0),
    ])
  func columns(character: Character, columns: Int) {
    #expect(character.columns == columns)
  }

  @Test("are clipped by columns")
  func clips() {
    #expect("abcdef".clipped(to: 4) == "abcd")
    #expect("漢字漢字".clipped(to: 5) == "漢字")
    #expect("漢字a".clipped(to: 3) == "漢", "a narrow character behind a wide one that didn't fit")
    #expect("ab".clipped(to: 5) == "ab")
    #expect("ab".clipped(to: 0) == "")
  }

  @Test("keep the styles of what is clipped")
  func styles() {
    #expect("\u{1B}[1mabc\u{1B}[0mdef\u{1B}[4mg\u{1B}[0m".clipped(to: 2) == "\u{1B}[1mab\u{1B}[0m\u{1B}[4m\u{1B}[0m")
    #expect("\u{1B}[4m\u{301}abc\u{1B}[0m".clipped(to: 2) == "\u{1B}[4m\u{301}ab\u{1B}[0m")
  }

  @Test("are those around the focus")
  func focus() {
    let lines = (0..<10).map(String.init)
    func visible(_ rows: Int, _ focus: Range<Int>) -> String {
      lines.visible(in: WindowSize(columns: 80, rows: rows), focus: focus).joined()
    }
    #expect(visible(20, 3..<4) == "0123456789")
    #expect(visible(4, 2..<3) == "0123")
    #expect(visible(4, 5..<6) == "2345")
    #expect(visible(4, 8..<10) == "6789")
    #expect(visible(1, 5..<8) == "5")
    #expect(visible(0, 5..<8) == "")
  }

  @Test("show the part of a field around its cursor")
  func window() {
    func window(_ line: String, _ cursor: Int, _ width: Int = 5) -> String {
      let window = LineWindow(line, cursor: cursor, width: width)
      return "\(window.before)|\(window.atCursor)|\(window.behind)"
    }
    #expect(window("", 0) == "| |    ")
    #expect(window("abc", 3) == "abc| | ")
    #expect(window("abc", 1) == "a|b|c  ")
    #expect(window("abcdefgh", 8) == "efgh| |")
    #expect(window("abcdefgh", 0) == "|a|bcde")
    #expect(window("abcdefgh", 6) == "cdef|g|")
    #expect(window("漢字漢字", 4) == "漢字| |", "the last two, and the cursor")
    #expect(window("漢字漢字", 4, 4) == "字| | ", "a half character doesn't fit")
    #expect(window("漢字漢字", 0) == "|漢|字 ")
    #expect(window("abc", 9) == "abc| | ")
  }
}

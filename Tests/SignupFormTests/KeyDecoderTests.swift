import ExampleTerminal
import Testing

@Suite("The keys of a terminal")
struct KeyDecoderTests {
  /// The keys of each read, and those of the flush after the last one.
  private func keys(_ reads: String..., decoder: KeyDecoder = KeyDecoder()) -> [[Key]] {
    var decoder = decoder
    return reads.map { decoder.keys(in: Array($0.utf8)) } + [decoder.flush()]
  }

  @Test("are decoded from the terminal's bytes")
  func keys() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: Array("aé👍".utf8)) == [.character("a"), .character("é"), .character("👍")])
    #expect(
      decoder.keys(in: [0x09, 0x0D, 0x7F, 0x03, 0x04]) == [.tab, .enter, .backspace, .interrupt, .leave])
    #expect(
      decoder.keys(in: Array("\u{1B}[Z\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[Dx".utf8))
        == [.backTab, .up, .down, .right, .left, .character("x")])
  }

  @Test(
    "include those that edit a line, with each terminal's sequences",
    arguments: [
      ("[H", Key.home), ("[1~", .home), ("[7~", .home), ("OH", .home), ("[F", .end), ("[4~", .end), ("[8~", .end),
      ("OF", .end), ("[3~", .delete), ("OC", .right), ("OD", .left), ("[1;5C", .right), ("[3;2~", .delete),
    ])
  func editing(sequence: String, key: Key) {
    #expect(keys("\u{1B}\(sequence)x") == [[key, .character("x")], []])
  }

  @Test("ignore unknown sequences", arguments: ["[15~", "[[A", "[?1;2c", "OP", "[200;1R"])
  func unknown(sequence: String) {
    #expect(keys("\u{1B}\(sequence)x") == [[.character("x")], []])
  }

  @Test("may arrive in pieces")
  func pieces() {
    var decoder = KeyDecoder()
    let bytes = Array("é".utf8)
    #expect(decoder.keys(in: bytes.prefix(1)) == [])
    #expect(decoder.keys(in: bytes.suffix(1)) == [.character("é")])
  }

  @Test(
    "may be escape sequences that are split anywhere",
    arguments: [("\u{1B}[A", Key.up), ("\u{1B}[3~", .delete), ("\u{1B}OH", .home), ("\u{1B}[1;5D", .left)])
  func split(sequence: String, key: Key) {
    for count in 1..<sequence.count {
      let reads = keys("a" + sequence.prefix(count), sequence.dropFirst(count) + "b")
      #expect(reads == [[.character("a")], [key, .character("b")], []], "split after \(count)")
    }
    var decoder = KeyDecoder()
    #expect(sequence.utf8.flatMap { decoder.keys(in: [$0]) } == [key])
  }

  @Test("distinguish the escape key, which no byte follows, from an escape sequence")
  func escape() {
    #expect(keys("\u{1B}") == [[], [.leave]])
    #expect(keys("\u{1B}", "[A") == [[], [.up], []])
    #expect(keys("\u{1B}\u{1B}") == [[], [.leave]])
    #expect(keys("\u{1B}x") == [[.character("x")], []])
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: [0x1B]) == [])
    #expect(decoder.hasLoneEscape)
    #expect(decoder.flush() == [.leave])
    #expect(decoder.flush() == [])
    #expect(decoder.keys(in: Array("[A".utf8)) == [.character("["), .character("A")])
  }

  @Test("follow an escape sequence that is never completed")
  func abandoned() {
    #expect(keys("\u{1B}[", "\u{03}") == [[], [.interrupt], []])
    #expect(keys("\u{1B}[1\u{1B}[A") == [[.up], []])
  }

  @Test("include a paste, whose line breaks are not Return")
  func paste() {
    #expect(
      keys("a\u{1B}[200~one\rtwo\n\u{1B}[A\tthree\u{1B}[201~\r")
        == [[.character("a"), .paste("one\rtwo\n\u{1B}[A\tthree"), .enter], []])
    #expect(keys("\u{1B}[200~\u{1B}[201~") == [[.paste("")], []])
  }

  @Test("interrupt a paste whose end doesn't arrive")
  func interruptedPaste() {
    #expect(keys("\u{1B}[200~one", "two\u{03}x") == [[], [.paste("onetwo"), .interrupt, .character("x")], []])
    #expect(keys("\u{1B}[200~one\u{1B}[20", "\u{03}") == [[], [.paste("one\u{1B}[20"), .interrupt], []])
  }

  @Test("include one paste for many reads, split anywhere")
  func splitPaste() {
    let text = String(repeating: "añ👍\r\n\u{1B}[201", count: 500)
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~x".utf8)
    for size in [1, 2, 3, 5, 7, 1024, 65536] {
      var decoder = KeyDecoder()
      var keys: [Key] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        keys += decoder.keys(in: bytes[start..<min(start + size, bytes.count)])
        #expect(keys.isEmpty || start + size >= bytes.count - 1)
      }
      #expect(keys == [.paste(text), .character("x")], "reads of \(size)")
    }
  }
}

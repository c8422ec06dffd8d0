import ExampleTerminal
import Testing
import Weir
import WeirControls

@testable import SignupForm
@testable import TestSupport

@Suite("A script")
@MainActor
struct ScriptTests {
  @Test("has one gesture in each line; empty lines and comments are ignored")
  func gestures() throws {
    #expect(try Gesture(line: "type username ada") == .type(field: "username", text: "ada"))
    #expect(try Gesture(line: "type password  two words ") == .type(field: "password", text: " two words "))
    #expect(try Gesture(line: "  clear confirm ") == .clear(field: "confirm"))
    #expect(try Gesture(line: "flip terms") == .flip)
    #expect(try Gesture(line: "tap signup") == .tap)
    #expect(try Gesture(line: "wait 0") == .wait(milliseconds: 0))
    #expect(try Gesture(line: "") == nil)
    #expect(try Gesture(line: " \t") == nil)
    #expect(try Gesture(line: "# type username ada") == nil)
  }

  @Test(
    "says what is wrong with a line that it can't understand",
    arguments: [
      "press signup", "type", "type username", "type nickname me", "clear", "clear it", "flip signup", "tap terms",
      "wait", "wait long", "wait -1", "tap signup twice", "flip terms now",
    ])
  func misunderstandings(line: String) {
    #expect(throws: Gesture.Misunderstanding.self) { try Gesture(line: line) }
  }

  @Test("runs each line after the previous one, waits at the end for pending work, and counts its errors")
  func runs() {
    let form = Form()
    let clock = VirtualTimeScheduler()
    let model = SignupModel(form: form, directory: Directory(), clock: clock)
    let script = Script(form: form, model: model, clock: clock)
    let log = Log()
    let lines = ["type username a", "wait 500", "what", "type username b", "clear password"]
    script.run(
      lines.publisher, output: { log.append($0) }, complaints: { log.append($0) }, end: { log.append("end \($0)") })
    #expect(form.username.text == "a")
    clock.advance(by: 499)
    #expect(form.username.text == "a")
    #expect(log.lines == ["username: too short"])
    clock.advance(by: 1)
    #expect(form.username.text == "ab")
    #expect(log.lines.last?.hasPrefix("line 3: can't understand \"what\"") == true)
    clock.advance(by: 299)
    #expect(log.lines.count == 2)
    clock.advance(by: 1)
    #expect(log.lines.count == 3)
    #expect(log.lines.last == "end 1")
  }
}

@Suite("The keys of a terminal")
struct KeyDecoderTests {
  @Test("are decoded from the terminal's bytes")
  func keys() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: Array("aé👍".utf8)) == [.character("a"), .character("é"), .character("👍")])
    #expect(
      decoder.keys(in: [0x09, 0x0D, 0x7F, 0x03, 0x04]) == [.tab, .enter, .backspace, .interrupt, .leave])
    #expect(
      decoder.keys(in: Array("\u{1B}[Z\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}[3~x".utf8))
        == [.backTab, .up, .down, .right, .left, .character("x")])
  }

  @Test("may arrive in pieces")
  func pieces() {
    var decoder = KeyDecoder()
    let bytes = Array("é".utf8)
    #expect(decoder.keys(in: bytes.prefix(1)) == [])
    #expect(decoder.keys(in: bytes.suffix(1)) == [.character("é")])
  }

  @Test("distinguish the escape key from an escape sequence")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: [0x1B]) == [.leave])
  }
}

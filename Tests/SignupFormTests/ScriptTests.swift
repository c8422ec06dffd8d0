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
    "reports a line that it can't read",
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

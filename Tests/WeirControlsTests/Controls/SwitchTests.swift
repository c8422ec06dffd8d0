import Testing
import WeirControls

@Suite("A switch")
@MainActor
struct SwitchTests {
  let toggle = Switch()
  let target = Target()

  @Test("sends its new value when a person flips it")
  func flip() {
    toggle.addTarget(target, action: { $0.note("\($1.isOn) \($2)") }, for: .allEvents)

    toggle.flip()
    toggle.flip()

    #expect(
      target.events == [
        "true [valueChanged]", "true [primaryActionTriggered]", "false [valueChanged]",
        "false [primaryActionTriggered]",
      ])
  }

  @Test("sends no event for a value that the application sets")
  func set() {
    toggle.addTarget(target, action: Target.first, for: .allEvents)

    toggle.isOn = true

    #expect(target.events == [])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    toggle.addTarget(target, action: Target.first, for: .allEvents)
    toggle.isEnabled = false

    toggle.flip()

    #expect(!toggle.isOn)
    #expect(target.events == [])
  }
}

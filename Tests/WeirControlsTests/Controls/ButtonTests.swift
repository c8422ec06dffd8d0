import Testing
import WeirControls

@Suite("A button")
@MainActor
struct ButtonTests {
  let button = Button(title: "OK")
  let target = Target()

  @Test("sends a touch down, a touch up inside and the primary action for a tap")
  func tap() {
    button.addTarget(target, action: Target.senderAndEvent, for: .allEvents)

    button.tap()

    #expect(target.events == ["OK [touchDown]", "OK [touchUpInside]", "OK [primaryActionTriggered]"])
  }

  @Test("is highlighted while a finger touches it")
  func highlight() {
    button.addTarget(target, action: { $0.note("\($1.isHighlighted)") }, for: .allEvents)

    button.tap()

    #expect(target.events == ["true", "false", "false"])
  }

  @Test("ignores user actions while it is disabled")
  func disabled() {
    button.addTarget(target, action: Target.first, for: .allEvents)
    button.isEnabled = false
    button.tap()
    #expect(target.events == [])
    #expect(!button.isHighlighted)

    button.isEnabled = true
    button.tap()
    #expect(target.events.count == 3)
  }

  @Test("ignores the rest of a tap that disables it")
  func disabledByTap() {
    button.addTarget(
      target,
      action: { target, button, event in
        target.note("\(event)")
        if event == .touchUpInside { button.isEnabled = false }
      }, for: .allEvents)

    button.tap()

    #expect(target.events == ["[touchDown]", "[touchUpInside]"])
  }
}

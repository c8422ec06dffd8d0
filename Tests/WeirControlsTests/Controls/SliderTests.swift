import Testing
import WeirControls

@Suite("A slider")
@MainActor
struct SliderTests {
  let slider = Slider()
  let target = Target()

  init() {
    slider.note(to: target) { "\($0.value)" }
  }

  @Test("sends the touch, each change, and the end of the touch")
  func slide() {
    slider.slide(to: 0.25, 0.25, 0.5)

    #expect(
      target.events == [
        "0.0 [touchDown]", "0.25 [valueChanged]", "0.5 [valueChanged]", "0.5 [touchUpInside]",
      ])
  }

  @Test("sends the change only at the end when it isn't continuous")
  func notContinuous() {
    slider.isContinuous = false
    slider.slide(to: 0.25, 0.5)
    slider.slide(to: 0.5)

    #expect(
      target.events == [
        "0.0 [touchDown]", "0.5 [valueChanged]", "0.5 [touchUpInside]", "0.5 [touchDown]", "0.5 [touchUpInside]",
      ])
  }

  @Test("stays in its range")
  func range() {
    slider.slide(to: 7)
    #expect(slider.value == 1)
    slider.maximumValue = 0.5
    #expect(slider.value == 0.5)
    slider.minimumValue = 2
    #expect(slider.value == 2 && slider.maximumValue == 2)
    slider.maximumValue = 1
    #expect(slider.value == 1 && slider.minimumValue == 1)
    #expect(Slider(value: 30, in: 10...20).value == 20)
  }

  @Test("keeps its value when it is set to NaN")
  func notANumber() {
    slider.value = 0.5
    slider.value = .nan
    slider.slide(to: .nan, .signalingNaN)
    #expect(slider.value == 0.5)
    #expect(target.events == ["0.5 [touchDown]", "0.5 [touchUpInside]"])
    #expect(Slider(value: .nan, in: 10...20).value == 10)
    slider.minimumValue = .nan
    slider.maximumValue = .nan
    #expect((slider.minimumValue, slider.maximumValue, slider.value) == (0, 1, 0.5))
  }

  @Test("sends no event for a value that the application sets")
  func set() {
    slider.value = 0.5
    slider.maximumValue = 0.25

    #expect(target.events == [])
  }

  @Test("ignores user actions while it is disabled, and a finger that touches it then")
  func disabled() {
    slider.isEnabled = false
    slider.slide(to: 1)
    #expect(slider.value == 0 && target.events == [])

    slider.isEnabled = true
    slider.touch()
    slider.isEnabled = false
    slider.drag(to: 1)
    slider.lift()
    #expect(slider.value == 0 && !slider.isTracking && !slider.isHighlighted)
    #expect(target.events == ["0.0 [touchDown]", "0.0 [touchCancel]"])
  }
}

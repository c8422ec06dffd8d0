import Testing
import WeirControls

@Suite("A stepper")
@MainActor
struct StepperTests {
  let stepper = Stepper(value: 1, in: 0...5, step: 2)
  let target = Target()

  init() {
    stepper.addTarget(target, action: { $0.note("\($1.value)") }, named: "value", for: .valueChanged)
  }

  @Test("increments and decrements by its step, up to its limits")
  func steps() {
    for _ in 0..<4 { stepper.increment() }
    for _ in 0..<4 { stepper.decrement() }

    #expect(target.events == ["3.0", "5.0", "3.0", "1.0", "0.0"])
  }

  @Test("sends the change and the primary action")
  func events() {
    let other = Target()
    stepper.note(to: other) { "\($0.value)" }

    stepper.increment()

    #expect(other.events == ["3.0 [valueChanged]", "3.0 [primaryActionTriggered]"])
  }

  @Test("continues at the other end when it wraps")
  func wraps() {
    stepper.wraps = true
    for _ in 0..<3 { stepper.increment() }
    stepper.decrement()

    #expect(target.events == ["3.0", "5.0", "0.0", "5.0"])
  }

  @Test("stays in its range when the application sets it, and sends no event")
  func set() {
    stepper.value = 9
    #expect(stepper.value == 5)
    stepper.maximumValue = 4
    #expect(stepper.value == 4)
    stepper.minimumValue = 6
    #expect(stepper.value == 6 && stepper.maximumValue == 6)
    stepper.maximumValue = 3
    #expect(stepper.minimumValue == 3)
    #expect(target.events == [])
  }

  @Test("keeps its value when it is set to NaN")
  func notANumber() {
    stepper.value = .nan
    #expect(stepper.value == 1)
    stepper.increment()
    #expect(target.events == ["3.0"])
    #expect(Stepper(value: .nan, in: 10...20).value == 10)
    let limits = (stepper.minimumValue, stepper.maximumValue)
    stepper.minimumValue = .nan
    stepper.maximumValue = .nan
    #expect((stepper.minimumValue, stepper.maximumValue) == limits)
  }

  @Test("treats a step that isn't positive as a programming error")
  func precondition() async {
    await #expect(processExitsWith: .failure) { @MainActor in _ = Stepper(step: 0) }
    await #expect(processExitsWith: .failure) { @MainActor in Stepper().stepValue = -1 }
  }

  @Test("ignores user actions while it is disabled or hidden")
  func disabled() {
    stepper.isEnabled = false
    stepper.increment()
    stepper.isEnabled = true
    stepper.isHidden = true
    stepper.decrement()

    #expect(stepper.value == 1 && target.events == [])
  }
}

import Testing
import WeirControls

@Suite("A segmented control")
@MainActor
struct SegmentedControlTests {
  let control = SegmentedControl(titles: ["a", "b", "c"])
  let target = Target()

  init() {
    control.note(to: target) { "\($0.selectedSegmentIndex)" }
  }

  @Test("sends once for a segment that a person selects")
  func select() {
    control.select(1)
    control.select(1)
    control.select(3)
    control.select(-1)

    #expect(target.events == ["1 [valueChanged]", "1 [primaryActionTriggered]"])
  }

  @Test("keeps no selection after a touch when it is momentary")
  func momentary() {
    control.isMomentary = true
    control.select(2)

    #expect(target.events == ["2 [valueChanged]", "2 [primaryActionTriggered]"])
    #expect(control.selectedSegmentIndex == SegmentedControl.noSegment)
  }

  @Test("keeps the selection when segments are inserted and removed")
  func segments() {
    control.selectedSegmentIndex = 1
    control.insertSegment(withTitle: "first", at: 0)
    #expect(control.selectedSegmentIndex == 2 && control.titleForSegment(at: 2) == "b")
    control.insertSegment(withTitle: "last", at: 99)
    control.removeSegment(at: 0)
    #expect(control.selectedSegmentIndex == 1 && control.numberOfSegments == 4)
    control.removeSegment(at: 1)
    control.removeSegment(at: 9)
    #expect(control.selectedSegmentIndex == SegmentedControl.noSegment)
    control.setTitle("z", forSegmentAt: 0)
    #expect((0..<4).map { control.titleForSegment(at: $0) } == ["z", "c", "last", nil])
    control.selectedSegmentIndex = 0
    control.removeAllSegments()
    #expect(control.selectedSegmentIndex == -1 && control.numberOfSegments == 0)
    #expect(target.events == [])
  }

  @Test("ignores user actions in a disabled segment, and all of them while it is disabled")
  func disabled() {
    control.setEnabled(false, forSegmentAt: 0)
    control.select(0)
    control.isEnabled = false
    control.select(1)

    #expect(target.events == [])
    #expect(!control.isEnabledForSegment(at: 0) && control.isEnabledForSegment(at: 1))
  }

  @Test("treats a missing segment as a programming error")
  func precondition() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      SegmentedControl(titles: ["a"]).selectedSegmentIndex = 1
    }
  }
}

import Testing

@testable import TestSupport
@testable import Weir

@Suite("TimerSlot")
struct TimerSlotTests {
  let first = ManualSubscription()
  let second = ManualSubscription()

  @Test("cancels the timer before when another starts, once")
  func replaces() {
    let slot = TimerSlot()
    slot.start(1) { first }
    #expect(first.events == [])
    slot.start(2) { second }
    #expect(first.events == [.cancelled])
    slot.stop(2)
    slot.stop(2)
    #expect(first.events == [.cancelled])
    #expect(second.events == [.cancelled])
  }

  @Test("cancels a timer that is handed over after it was stopped")
  func lateAfterStop() {
    let slot = TimerSlot()
    slot.start(1) {
      slot.stop(1)
      return first
    }
    #expect(first.events == [.cancelled])
  }

  @Test("cancels a timer that is handed over after another was started, and keeps that one")
  func lateAfterStart() {
    let slot = TimerSlot()
    slot.start(1) {
      slot.start(2) { second }
      return first
    }
    #expect(first.events == [.cancelled])
    #expect(second.events == [])
  }

  @Test("a stop that comes late, from another thread, doesn't stop a later timer")
  func lateStop() {
    let slot = TimerSlot()
    slot.start(1) { first }
    slot.start(2) { second }
    slot.stop(1)
    #expect(second.events == [])
  }

  @Test("a start that comes late, from another thread, doesn't take the place of a later timer, or of a stop")
  func lateStart() {
    let slot = TimerSlot()
    slot.start(2) { second }
    slot.start(1) { first }
    #expect(second.events == [])
    slot.stop(.max)
    slot.start(3) {
      Issue.record("made a timer after the end")
      return first
    }
    #expect(second.events == [.cancelled])
  }
}

import Testing

@testable import TestSupport
@testable import Weir

@Suite("TimerSlot")
struct TimerSlotTests {
  let first = ManualSubscription()
  let second = ManualSubscription()

  @Test("cancels the previous timer when another starts, once")
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

  @Test("cancels a timer that arrives after the stop")
  func lateAfterStop() {
    let slot = TimerSlot()
    slot.start(1) {
      slot.stop(1)
      return first
    }
    #expect(first.events == [.cancelled])
  }

  @Test("cancels a timer that arrives after another was started, and keeps that one")
  func lateAfterStart() {
    let slot = TimerSlot()
    slot.start(1) {
      slot.start(2) { second }
      return first
    }
    #expect(first.events == [.cancelled])
    #expect(second.events == [])
  }

  @Test("a late stop on another thread doesn't stop a later timer")
  func lateStop() {
    let slot = TimerSlot()
    slot.start(1) { first }
    slot.start(2) { second }
    slot.stop(1)
    #expect(second.events == [])
  }

  @Test("a late start on another thread doesn't replace a later timer or a stop")
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

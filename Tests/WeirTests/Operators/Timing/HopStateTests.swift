import Testing

@testable import TestSupport
@testable import Weir

/// A step that follows from an event.
private enum HopStep: Equatable {
  case value, finish, fail, release
  /// A hop for missed events is scheduled.
  case another
}

extension HopState {
  fileprivate mutating func start() {
    #expect(subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == true)
    #expect(announced() == false)
  }

  /// A value arrives; returns whether a hop is scheduled, or `nil` if the value is ignored.
  fileprivate mutating func afterValue() -> Bool? {
    admit() ? needsHop() : nil
  }

  fileprivate mutating func afterValues(_ count: Int) {
    for _ in 0..<count { _ = afterValue() }
  }

  /// A completion arrives; returns whether a hop is scheduled, or `nil` if the completion is ignored.
  fileprivate mutating func afterCompletion(_ completion: AnyCompletion = .finished) -> Bool? {
    completed(completion) == nil ? nil : needsHop()
  }

  /// A hop arrives, and delivers.
  fileprivate mutating func afterHop(isOverdue: Bool = false, on thread: UInt = 4) -> [HopStep] {
    arrive(isOverdue: isOverdue, on: thread) ? turn() : []
  }

  /// The deliveries until the thread rests.
  fileprivate mutating func turn() -> [HopStep] {
    var steps: [HopStep] = []
    while true {
      switch next() {
      case .value: steps.append(.value)
      case .complete(.finished): return steps + [.finish]
      case .complete(.failure): return steps + [.fail]
      case .release: return steps + [.release]
      case .rest(let needsHop): return steps + (needsHop ? [.another] : [])
      }
    }
  }

  /// A hop arrives on another thread while one delivers.
  fileprivate mutating func afterContendedHop(isOverdue: Bool = false) {
    #expect(arrive(isOverdue: isOverdue, on: 6) == false)
  }
}

@Suite("HopState")
struct HopStateTests {
  let limit = HandOver.limit

  private func values(_ count: Int) -> [HopStep] { Array(repeating: .value, count: count) }

  func running(drains: Bool = false) -> HopState {
    var state = HopState(drains: drains)
    state.start()
    return state
  }

  /// A state in which thread 4 is delivering the first of the values.
  func delivering(_ count: Int, drains: Bool = false) -> HopState {
    var state = running(drains: drains)
    state.afterValues(count)
    #expect(state.arrive(isOverdue: false, on: 4) == true)
    guard case .value = state.next() else {
      Issue.record("no value is delivered")
      return state
    }
    return state
  }

  @Test("while subscribing, ignores values, completions, timers, requests and a cancellation")
  func waiting() {
    var state = HopState()
    #expect(state.afterValue() == nil)
    #expect(state.afterCompletion() == nil)
    #expect(state.expire(0) == nil)
    #expect(state.afterHop() == [])
    #expect(state.request(.max(2)) == false)
    #expect(state.cancel(on: 2) == nil)
    state.start()
    #expect(state.takeRequest()?.demand == nil)
  }

  @Test(
    "a hop for a completion that arrives while the downstream receives its subscription is made up for",
    arguments: [false, true], [2, 4] as [UInt])
  func completedWhileAnnouncing(_ drains: Bool, _ thread: UInt) {
    var state = HopState(drains: drains)
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == true)
    _ = state.afterCompletion()
    #expect(state.arrive(isOverdue: false, on: thread) == false)
    #expect(state.announced() == true)
    #expect(state.afterHop(isOverdue: true) == [.finish])
  }

  @Test(
    "while the downstream receives its subscription, requests are made, no timer ends, and hops are made up for later")
  func announcing() {
    var state = HopState()
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == true)
    #expect(state.request(.max(1)) == true)
    #expect(state.expire(state.timer) == nil)
    #expect(state.takeRequest()?.demand == .max(1))
    #expect(state.takeNextRequest()?.demand == nil)
    state.afterValues(2)
    for thread: UInt in [2, 4] { #expect(state.arrive(isOverdue: false, on: thread) == false) }
    #expect(state.announced() == true)
    #expect(state.afterHop(isOverdue: true) == values(2))
  }

  @Test("while the downstream receives its subscription, requests early demand only, and the rest behind it")
  func early() {
    var state = HopState()
    #expect(state.subscribed(ManualSubscription()._object, early: .max(3), on: 2) == true)
    #expect(state.request(.max(2)) == true)
    #expect(state.takeRequest()?.demand == .max(2))
    _ = state.request(.unlimited)
    #expect(state.takeNextRequest()?.demand == .max(1))
    #expect(state.takeNextRequest()?.demand == nil)
    #expect(state.announced() == false)
    #expect(state.takeRequest()?.demand == .unlimited)
    #expect(state.takeNextRequest()?.demand == nil)
  }

  @Test("a cancellation while the downstream receives its subscription leaves the release to that thread")
  func cancelledAnnouncing() {
    var state = HopState()
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == true)
    #expect(state.cancel(on: 2)?.releases == false)
    #expect(state.announced() == nil)
  }

  @Test("schedules a hop for each event, and delivers the oldest pending event at each arrival")
  func hops() {
    var state = running()
    #expect(state.afterValue() == true)
    #expect(state.afterValue() == true)
    #expect(state.afterCompletion() == true)
    #expect(state.afterHop() == [.value])
    #expect(state.afterHop() == [.value])
    #expect(state.afterHop() == [.finish])
  }

  @Test("the next hop makes up for those that found another thread")
  func missedHops() {
    var state = delivering(5)
    state.afterContendedHop()
    state.afterContendedHop()
    #expect(state.turn() == [.another])
    #expect(state.afterHop() == values(3))
    #expect(state.afterHop(isOverdue: true) == [])
    #expect(state.afterHop() == [.value])
  }

  @Test("a hop that makes up for others is rescheduled if it finds another thread, unless it is cancelled")
  func missedAgain() {
    var state = delivering(3)
    state.afterContendedHop()
    #expect(state.turn() == [.another])
    #expect(state.arrive(isOverdue: false, on: 4) == true)
    state.afterContendedHop(isOverdue: true)
    #expect(state.turn() == values(2))
    #expect(state.cancel(on: 4)?.releases == true)
    #expect(state.afterHop(isOverdue: true) == [])
  }

  @Test("draining, hops that find another thread are made up for when that rests, if anything is pending")
  func missedDraining() {
    var state = delivering(1, drains: true)
    state.afterContendedHop()
    #expect(state.turn() == [])
    state = delivering(1, drains: true)
    #expect(state.afterValue() == true)
    state.afterValues(1)
    for _ in 0..<2 { state.afterContendedHop() }
    #expect(state.turn() == [.value, .another])
    #expect(state.afterValue() == false)
    #expect(state.afterHop(isOverdue: true) == values(2))
    #expect(state.cancel(on: 4)?.releases == true)
    #expect(state.afterHop(isOverdue: true) == [])
  }

  @Test("a hop makes up for a limited number of others, and schedules another for the rest", arguments: [false, true])
  func missesMany(_ drains: Bool) {
    var state = HopState(drains: drains)
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == true)
    state.afterValues(limit + 1)
    for _ in 0...limit { state.afterContendedHop() }
    #expect(state.announced() == true)
    #expect(state.afterHop(isOverdue: true) == values(limit) + [.another])
    #expect(state.afterValue() == !drains)
    #expect(state.afterHop(isOverdue: true) == values(drains ? 2 : 1))
  }

  @Test("draining, delivers a limited number of values with one hop, and schedules another for the rest")
  func drainsInParts() {
    var state = running(drains: true)
    state.afterValues(limit + 50)
    #expect(state.afterHop() == values(limit) + [.another])
    #expect(state.afterCompletion() == false)
    #expect(state.afterHop(isOverdue: true) == values(50) + [.finish])
  }

  @Test("draining, schedules no other hop for exactly the limited number, unless the completion is pending")
  func drainsTheLimit() {
    var state = running(drains: true)
    state.afterValues(limit)
    #expect(state.afterHop() == values(limit))
    state.afterValues(limit)
    _ = state.afterCompletion()
    #expect(state.afterHop() == values(limit) + [.another])
    #expect(state.afterHop(isOverdue: true) == [.finish])
  }

  @Test("hops that arrive during a delivery share its turn", arguments: [false, true])
  func nestedHops(_ drains: Bool) {
    var state = delivering(2 * limit + 1, drains: drains)
    for _ in 0..<2 * limit { #expect(state.arrive(isOverdue: false, on: 4) == false) }
    #expect(state.turn() == values(limit) + [.another])
    #expect(state.afterHop(isOverdue: true) == values(limit))
  }

  @Test("draining, schedules one hop for all pending events")
  func drains() {
    var state = running(drains: true)
    #expect(state.afterValue() == true)
    #expect(state.afterValue() == false)
    #expect(state.afterHop() == values(2))
    #expect(state.afterValue() == true)
    #expect(state.afterCompletion() == false)
    #expect(state.afterHop() == [.value, .finish])
  }

  @Test("draining, schedules another hop for a completion that arrives alone, and none after a cancellation")
  func drainsTheEnd() {
    var state = running(drains: true)
    state.afterValues(1)
    _ = state.afterHop()
    #expect(state.afterCompletion(.failure(TestError.oops)) == true)
    #expect(state.afterHop() == [.fail])
    state = running(drains: true)
    state.afterValues(1)
    #expect(state.cancel(on: 2)?.upstream.isFull == true)
    #expect(state.afterHop() == [])
  }

  @Test("a failure follows the values before it")
  func fails() {
    var state = running()
    state.afterValues(1)
    #expect(state.afterCompletion(.failure(TestError.oops)) == true)
    #expect(state.afterHop() == [.value])
    #expect(state.afterHop() == [.fail])
  }

  @Test("one thread at a time requests from the upstream, and none after its completion")
  func demand() {
    var state = running()
    #expect(state.request(.max(1)) == true)
    #expect(state.takeRequest()?.demand == .max(1))
    #expect(state.request(.max(2)) == false)
    #expect(state.takeRequest()?.demand == nil)
    #expect(state.takeNextRequest()?.demand == .max(2))
    #expect(state.takeNextRequest()?.demand == nil)
    _ = state.afterCompletion()
    #expect(state.request(.max(1)) == false)
    #expect(state.takeRequest()?.demand == nil)
  }

  @Test("ignores an extra hop, and an upstream's events after its completion")
  func misbehaving() {
    var state = running()
    #expect(state.afterHop() == [])
    #expect(state.afterValue() == true)
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == false)
    _ = state.afterCompletion()
    #expect(state.afterValue() == nil)
    #expect(state.afterCompletion(.failure(TestError.oops)) == nil)
    #expect(state.afterHop() == [.value])
    #expect(state.afterHop() == [.finish])
  }

  @Test("after the upstream's completion, a cancellation drops pending events and cancels no upstream")
  func cancelledDraining() throws {
    var state = running()
    state.afterValues(1)
    _ = state.afterCompletion()
    let cancelled = state.cancel(on: 2)
    let cancellation = try #require(cancelled)
    #expect(!cancellation.upstream.isFull)
    #expect(cancellation.dropped != nil)
    #expect(cancellation.releases)
    #expect(state.afterHop() == [])
  }

  @Test("a cancellation during a delivery leaves the release to the delivering thread")
  func cancelledDelivering() {
    var state = delivering(2)
    #expect(state.cancel(on: 6)?.releases == false)
    #expect(state.turn() == [.release])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var state = running()
    state.afterValues(1)
    #expect(state.cancel(on: 2) != nil)
    #expect(state.cancel(on: 2) == nil)
    #expect(state.afterHop() == [])
    #expect(state.afterValue() == nil)
    #expect(state.afterCompletion() == nil)
    #expect(state.expire(state.timer) == nil)
    #expect(state.request(.unlimited) == false)
    #expect(state.takeRequest()?.demand == nil)
    #expect(state.subscribed(ManualSubscription()._object, early: .unlimited, on: 2) == false)
  }

  @Test("the subscription, the first request and each value start a timer, which replaces the earlier ones")
  func timers() {
    var state = running()
    #expect(state.timer == 1)
    #expect(state.request(.max(1)) == true)
    #expect(state.request(.max(1)) == false)
    #expect(state.timer == 2)
    state.afterValues(1)
    #expect(state.timer == 3)
    #expect(state.expire(2) == nil)
    #expect(state.expire(3)?.isFull == true)
    #expect(state.expire(3) == nil)
  }

  @Test("delivers the values in flight before the completion of a timeout")
  func timesOutBehindValues() {
    var state = running()
    state.afterValues(2)
    #expect(state.expire(state.timer) != nil)
    #expect(state.afterValue() == nil)
    #expect(state.afterHop() == [.value])
    state.expired(with: .failure(TestError.oops))
    #expect(state.afterHop() == [.value])
    #expect(state.afterHop() == [.fail])
  }

  @Test("a cancellation while the completion of a timeout is created drops that")
  func cancelledExpiring() {
    var state = running()
    #expect(state.expire(state.timer) != nil)
    #expect(state.cancel(on: 2)?.releases == true)
    state.expired(with: .finished)
    #expect(state.afterHop() == [])
  }
}

import Testing

@testable import TestSupport
@testable import Weir

@Suite("CollectByTimeMachine")
struct CollectByTimeMachineTests {
  typealias Machine = CollectByTimeMachine<Int, TestError>

  let hop = MachineStep.effect("schedule(1)")
  let stop = MachineStep.effect("stop(\(Int.max))")

  func running(count: Int? = nil, demand: Subscribers.Demand = .unlimited) -> Machine {
    var machine = Machine(count: count)
    _ = machine.afterSubscribed(0, "up")
    if demand > .none { _ = machine.afterRequested(demand) }
    return machine
  }

  @Test("while subscribing, ignores all events but demand")
  func waiting() {
    var machine = Machine(count: 2)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.effect("start(0)"), .announce, .request(0, .max(2))])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions, without a timer")
  func cancelledWaiting() {
    var machine = Machine(count: nil)
    #expect(machine.afterCancelled() == [stop])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("a timer signal that found another thread hops to the scheduler")
  func enqueuedSignal() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.enqueuedSignal(0)) == [hop])
    #expect(machine.after(.enqueuedSignal(1)) == [hop])
    #expect(machine.afterSignal(1) == [.deliver("[1]")])
    _ = machine.afterCancelled()
    #expect(machine.after(.enqueuedSignal(0)) == [])
  }

  @Test("by time, asks for one value with each request, but not with what an array brings")
  func asksForOne() {
    var machine = running(demand: .none)
    #expect(machine.afterRequested(.max(2)) == [.request(0, .max(1))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .max(1))])
    _ = machine.after(.value(0, 1))
    _ = machine.signal(0)
    machine.requested(.max(1))
    #expect(machine.steps() == [.deliver("[1]")])
  }

  @Test("by time, sends the values when the timer fires, if there are any")
  func byTime() {
    var machine = running()
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.afterSignal(0) == [.deliver("[1, 2]")])
    #expect(machine.afterSignal(0) == [])
  }

  @Test("by count, sends a full array with a hop, and several with one")
  func byCount() {
    var machine = running(count: 2)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.value(0, 2)) == [hop])
    #expect(machine.afterSignal(1) == [.deliver("[1, 2]")])
    for value in 3...6 { #expect(machine.after(.value(0, value)) == (value == 4 ? [hop] : [])) }
    #expect(machine.after(.value(0, 7)) == [])
    #expect(machine.afterSignal(1) == [.deliver("[3, 4]"), .deliver("[5, 6]")])
    #expect(machine.afterSignal(0) == [.deliver("[7]")])
  }

  @Test("when the timer fires, full arrays are sent first, and the hop finds none")
  func timeBeforeHop() {
    var machine = running(count: 2)
    for value in 1...3 { _ = machine.after(.value(0, value)) }
    #expect(machine.afterSignal(0) == [.deliver("[1, 2]"), .deliver("[3]")])
    #expect(machine.afterSignal(1) == [])
    _ = machine.after(.value(0, 4))
    #expect(machine.after(.value(0, 5)) == [hop])
    _ = machine.after(.value(0, 6))
    #expect(machine.afterSignal(1) == [.deliver("[4, 5]")])
  }

  @Test("one hop sends a limited number of arrays, and another hop the rest and the completion")
  func sendsInParts() {
    var machine = running(count: 1)
    let count = 2 * HandOver.limit
    #expect(machine.after(.value(0, 1)) == [hop])
    for value in 2...count { #expect(machine.after(.value(0, value)) == []) }
    _ = machine.after(.completed(0, .finished))
    let deliveries = (1...count).map { MachineStep.deliver("[\($0)]") }
    #expect(machine.afterSignal(1) == deliveries.prefix(HandOver.limit) + [hop])
    #expect(machine.afterSignal(1) == deliveries.suffix(HandOver.limit) + [.finish])
  }

  @Test("another hop sends an interval's rest, if the limited number of arrays was sent before it")
  func sendsTheRestLater() {
    var machine = running(count: 2)
    for value in 0...2 * HandOver.limit { _ = machine.after(.value(0, value)) }
    let deliveries = (0..<HandOver.limit).map { MachineStep.deliver("[\(2 * $0), \(2 * $0 + 1)]") }
    _ = machine.signal(1)
    _ = machine.signal(0)
    #expect(machine.steps() == deliveries + [hop])
    #expect(machine.afterSignal(1) == [.deliver("[\(2 * HandOver.limit)]")])
  }

  @Test("by time, values without demand join the next interval")
  func keepsByTime() {
    var machine = running(demand: .max(1))
    _ = machine.after(.value(0, 1))
    #expect(machine.afterSignal(0) == [.deliver("[1]")])
    _ = machine.after(.value(0, 2))
    #expect(machine.afterSignal(0) == [])
    _ = machine.after(.value(0, 3))
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
    #expect(machine.afterSignal(0) == [.deliver("[2, 3]")])
  }

  @Test("by count, a full array without demand is sent with a hop when there is demand")
  func keepsByCount() {
    var machine = running(count: 1, demand: .max(1))
    _ = machine.after(.value(0, 1))
    _ = machine.after(.value(0, 2))
    #expect(machine.afterSignal(1) == [.deliver("[1]")])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.afterRequested(.max(1)) == [hop])
    #expect(machine.afterSignal(1) == [.deliver("[2]")])
  }

  @Test("by count, requests the values that are missing in the requested arrays")
  func asksForWhatIsMissing() {
    var machine = running(count: 3, demand: .none)
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(3))])
    _ = machine.after(.value(0, 1))
    #expect(machine.afterSignal(0) == [.deliver("[1]")])
    // Two of the three are missing.
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
    #expect(machine.afterRequested(.max(2)) == [.request(0, .max(6))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited)])
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("by count, unrequested values count for the requested arrays")
  func unasked() {
    var machine = running(count: 2, demand: .none)
    for value in 1...3 { _ = machine.after(.value(0, value)) }
    _ = machine.afterSignal(1)
    #expect(machine.afterRequested(.max(1)) == [hop])
    #expect(machine.afterSignal(1) == [.deliver("[1, 2]")])
    #expect(machine.afterRequested(.max(2)) == [.request(0, .max(3))])
  }

  @Test("the completion stops the timer, and follows the rest with a hop")
  func finishes() {
    var machine = running(count: 2)
    for value in 1...3 { _ = machine.after(.value(0, value)) }
    #expect(machine.after(.completed(0, .finished)) == [stop])
    #expect(machine.after(.value(0, 4)) == [])
    #expect(machine.afterSignal(1) == [.deliver("[1, 2]"), .deliver("[3]"), .finish])
  }

  @Test("a rest without demand delays the completion")
  func finishesWithDemand() {
    var machine = running(demand: .max(1))
    _ = machine.after(.value(0, 1))
    _ = machine.afterSignal(0)
    _ = machine.after(.value(0, 2))
    #expect(machine.after(.completed(0, .finished)) == [stop, hop])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterRequested(.max(1)) == [hop])
    #expect(machine.afterSignal(1) == [.deliver("[2]"), .finish])
  }

  @Test("a failure drops the rest, but not a full array that is requested and in flight")
  func fails() {
    var machine = running(count: 2, demand: .max(1))
    for value in 1...5 { _ = machine.after(.value(0, value)) }
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [stop])
    #expect(machine.afterSignal(1) == [.deliver("[1, 2]"), .fail(.oops)])
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running(count: 2)
    for value in 1...3 { _ = machine.after(.value(0, value)) }
    #expect(machine.afterCancelled() == [stop, .cancel("up")])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}

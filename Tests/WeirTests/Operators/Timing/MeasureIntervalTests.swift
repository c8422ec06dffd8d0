import Testing
import Weir

@testable import TestSupport

@Suite("measureInterval")
struct MeasureIntervalTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  typealias Stride = VirtualTimeScheduler.SchedulerTimeType.Stride

  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "MeasureInterval") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .measureInterval(using: VirtualTimeScheduler()).map { (interval: Stride) -> Int in interval.magnitude }
    }
  }

  @Test("sends the time since the previous value, or since the subscription for the first")
  func measures() {
    scheduler.advance(by: 3)
    let recorder = measured(source.measureInterval(using: scheduler), demanding: .max(9))
    #expect(source.events == [.requested(.max(9))])
    for interval: Stride in [11, 3, 0, 7] {
      scheduler.advance(by: interval)
      #expect(source.send(1) == .none)
    }
    scheduler.advance(by: 5)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(11), .value(3), .value(0), .value(7), .finished])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("the first interval starts when the subscription arrives")
  func lateSubscription() {
    let late = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = measured(late.measureInterval(using: scheduler), demanding: .unlimited)
    scheduler.advance(by: 10)
    late.sendSubscription()
    scheduler.advance(by: 2)
    late.send(1)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("forwards returned demand upstream, and a failure downstream")
  func demand() {
    let recorder = measured(source.measureInterval(using: scheduler), demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .none)
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(0), .failed(.oops)])
  }

  /// Records the strides as numbers, for readability.
  private func measured(
    _ publisher: some Publisher<Stride, TestError>, demanding demand: Subscribers.Demand,
    returning: Subscribers.Demand = .none
  ) -> Recorder<Int, TestError> {
    publisher.map { (interval: Stride) -> Int in interval.magnitude }.record(demanding: demand, returning: returning)
  }
}

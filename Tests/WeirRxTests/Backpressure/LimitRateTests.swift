import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("limitRate")
struct LimitRateTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "LimitRate") { source, token in
      source.limitRate(2).map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
    }
  }

  @Test("requests the high tide, then the low tide after each low tide of deliveries")
  func tides() {
    let recorder = source.limitRate(4, lowTide: 2).record(demanding: .unlimited)
    #expect(source.events == [.requested(.max(4))])
    #expect((1...5).map { source.send($0) } == [.none, .max(2), .none, .max(2), .none])
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(source.events == [.requested(.max(4))])
  }

  @Test("uses three quarters of the high tide as the default low tide", arguments: [(1, 1), (2, 2), (4, 3), (100, 75)])
  func usualLowTide(_ tides: (high: Int, low: Int)) {
    #expect(source.limitRate(tides.high).lowTide == tides.low)
  }

  @Test("buffers values without demand, and requests more when they are delivered")
  func slowDownstream() {
    let recorder = source.limitRate(3, lowTide: 2).record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    #expect(recorder.values == [1])
    #expect(source.events == [.requested(.max(3))])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(source.events == [.requested(.max(3)), .requested(.max(2))])
    source.send(4)
    source.send(completion: .failure(.oops))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
    recorder.request(.max(1))
    #expect(recorder.events.suffix(2) == [.value(4), .failed(.oops)])
  }

  @Test("drops values that it has not requested")
  func tooMany() {
    let recorder = source.limitRate(2).record()
    for value in 1...4 { source.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2])
  }

  @Test("forwards all values of a synchronous publisher with any demand", arguments: [1, 3, 10])
  func synchronous(_ highTide: Int) {
    let limited = (1...20).publisher.limitRate(highTide)
    let slow = limited.record(demanding: .max(1))
    for _ in 0..<19 { slow.request(.max(1)) }
    #expect(slow.values == Array(1...20))
    #expect(slow.isFinished)
    #expect(limited.record(demanding: .unlimited).events == slow.events)
  }
}

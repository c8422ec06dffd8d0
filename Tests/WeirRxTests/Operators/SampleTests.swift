import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("sample")
struct SampleTests {
  typealias Source = ManualPublisher<Int, TestError>

  let source = Source()
  let trigger = Source()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "Sample") { trigger, token in
      Just(7).append(Empty(completeImmediately: false)).setFailureType(to: TestError.self)
        .sample(trigger.map { (value: Int) -> Int in withExtendedLifetime(token) { value } })
    }
  }

  @Test("sends the latest value at a trigger, once")
  func values() {
    let recorder = source.sample(trigger).record(demanding: .unlimited)
    trigger.send(0)
    source.send(1)
    source.send(2)
    trigger.send(0)
    trigger.send(0)
    source.send(3)
    trigger.send(0)
    #expect(recorder.events == [.subscription, .value(2), .value(3)])
  }

  @Test("forwards demand to the trigger, plus one for an empty trigger, and requests unlimited upstream demand")
  func demand() {
    let recorder = source.sample(trigger).record(demanding: .max(1))
    #expect(source.events == [.requested(.unlimited)])
    #expect(trigger.events == [.requested(.max(1))])
    #expect(trigger.send(0) == .max(1))
    source.send(1)
    #expect(trigger.send(0) == .none)
    recorder.request(.max(2))
    #expect(trigger.events == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test("completes with either publisher, and cancels the other", arguments: [true, false], [true, false])
  func ends(_ sourceEnds: Bool, _ fails: Bool) {
    let recorder = source.sample(trigger).record(demanding: .unlimited)
    source.send(1)
    (sourceEnds ? source : trigger).send(completion: fails ? .failure(.oops) : .finished)
    #expect(recorder.events == [.subscription, fails ? .failed(.oops) : .finished])
    #expect((sourceEnds ? trigger : source).isCancelledOnce)
    #expect(!(sourceEnds ? source : trigger).isCancelledOnce)
  }

  @Test("sends no value twice when source and trigger send concurrently")
  func races() {
    let (values, ticks) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = values.sample(ticks).record(demanding: .unlimited)
    race({ for value in 0..<2000 { values.send(value) } }, { for _ in 0..<2000 { ticks.send(0) } })
    ticks.send(0)
    #expect(recorder.values.last == 1999)
    #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("completes with a trigger that completes before this one has sent its subscription", arguments: [true, false])
  func endsEarly(_ fails: Bool) {
    let late = ManualPublisher<Int, TestError>(subscribing: false)
    let trigger = Record<Int, TestError>(output: [], completion: fails ? .failure(.oops) : .finished)
    let recorder = late.sample(trigger).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, fails ? .failed(.oops) : .finished])
    #expect(late.sendSubscription().events == [.cancelled])
    late.send(1)
    #expect(recorder.events.count == 2)
  }
}

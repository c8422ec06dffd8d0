import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("repeated")
struct RepeatedTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("conforms to the operator contract")
  func rules() {
    checkCommonRules(named: "Repeated") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.repeated(1)
    }
    let twice = [1, 2].lazy.publisher.repeated(2)
    let slow = twice.record()
    for asked in 1...4 {
      slow.request(.max(1))
      #expect(slow.values.count == asked)
    }
    #expect(slow.events == twice.record(demanding: .unlimited).events)
    #expect(slow.events == [.subscription, .value(1), .value(2), .value(1), .value(2), .finished])
  }

  @Test("requests the outstanding demand from each subscription")
  func demand() {
    let recorder = source.repeated(2).record(demanding: .max(3))
    source.send(1)
    source.send(completion: .finished)
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(3))], [.requested(.max(2))]])
    source.send(2, to: 1)
    source.send(completion: .finished, to: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.subscriptions.count == 2)
  }

  @Test("terminates with a failure, and finishes immediately for 0 times")
  func ends() {
    let recorder = source.repeated().record(demanding: .unlimited)
    source.send(completion: .finished)
    source.send(completion: .failure(.oops), to: 1)
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(source.subscriptions.count == 2)
    #expect(source.repeated(0).record().events == [.subscription, .finished])
    #expect(source.subscriptions.count == 2)
  }

  @Test("a cancellation during a delivery stops it")
  func cancels() {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      if recorder.values.count == 5 { recorder.cancel() }
      return .none
    }
    [1, 2].lazy.publisher.repeated().subscribe(recorder)
    #expect(recorder.values == [1, 2, 1, 2, 1])
  }

  @Test("100,000 synchronous runs don't grow the stack")
  func stack() {
    var count = 0
    onAnotherThread {
      count = [1].lazy.publisher.repeated(100_000).count().record(demanding: .unlimited).values.first ?? 0
    }
    #expect(count == 100_000)
    onAnotherThread {
      count = Empty<Int, Never>().repeated(100_000).record(demanding: .unlimited).isFinished ? 1 : 0
    }
    #expect(count == 1)
  }

  @Test("requires a number that is not negative")
  func badNumber() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).repeated(-1) }
  }
}

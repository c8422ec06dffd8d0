import Testing
import Weir

@testable import TestSupport

@Suite("collect")
struct CollectTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Collect") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.collect()
    }
  }

  @Test("requests unlimited demand, and sends one array when the upstream finishes")
  func collects() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect().record(demanding: .max(1), returning: .max(9))
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 2]), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("buffers the array until there is demand, also an empty one")
  func waits() {
    let recorder = Empty<Int, TestError>().collect().record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value([]), .finished])
  }

  @Test("drops the array when the upstream fails")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("finishes once, and sends one array, also for requests during the delivery")
  func reentrant() {
    let recorder = Recorder<[Int], Never>(demanding: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .max(1)
    }
    [1, 2].lazy.publisher.collect().subscribe(recorder)
    #expect(recorder.events == [.subscription, .value([1, 2]), .finished])
  }

  @Test("equals another on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).collect() == NumberPublisher(1).collect())
    #expect(NumberPublisher(1).collect() != NumberPublisher(2).collect())
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("collect(_:)")
struct CollectByCountTests {
  @Test("conforms to the operator contract", arguments: [1, 2, 4, 9])
  func commonRules(_ count: Int) {
    checkCommonRules(named: "CollectByCount", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.collect(count)
    }
  }

  @Test("requests count values for each requested or returned array, and none for buffered values")
  func demand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect(3).record(demanding: .max(2), returning: .max(4))
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(recorder.events == [.subscription])
    #expect(source.send(3) == .max(12))
    recorder.request(.max(5))
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value([1, 2, 3])])
    #expect(source.events == [.requested(.max(6)), .requested(.max(15)), .requested(.unlimited)])
  }

  @Test("requests unlimited demand if the product overflows")
  func saturates() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect(2).record(demanding: .max(.max / 2 + 1))
    recorder.onValue = { _ in .max(.max) }
    source.send(1)
    #expect(source.send(2) == .unlimited)
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("sends a shorter array at the finish, but no empty one")
  func theRest() {
    let rest = (1...5).lazy.publisher.collect(2).record(demanding: .max(3))
    #expect(rest.events == [.subscription, .value([1, 2]), .value([3, 4]), .value([5]), .finished])
    let even = (1...4).lazy.publisher.collect(2).record(demanding: .max(2))
    #expect(even.events == [.subscription, .value([1, 2]), .value([3, 4]), .finished])
    #expect(Empty<Int, TestError>().collect(2).record().events == [.subscription, .finished])
  }

  @Test("buffers the shorter array until there is demand, if the upstream exceeded the demand")
  func theRestWaits() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect(2).record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 2])])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value([1, 2]), .value([3]), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("drops its values when the upstream fails")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.collect(2).record(demanding: .unlimited)
    for value in 1...3 { source.send(value) }
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value([1, 2]), .failed(.oops)])
  }

  @Test("rejects a count below 1")
  func noCount() async {
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.collect(0).sink { _ in } }
    await #expect(processExitsWith: .failure) { _ = [1].lazy.publisher.collect(-1).sink { _ in } }
  }

  @Test("equals another with the same count on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).collect(2) == NumberPublisher(1).collect(2))
    #expect(NumberPublisher(1).collect(2) != NumberPublisher(1).collect(3))
    #expect(NumberPublisher(1).collect(2) != NumberPublisher(2).collect(2))
  }
}

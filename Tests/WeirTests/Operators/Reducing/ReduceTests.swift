import Testing
import Weir

@testable import TestSupport

@Suite("reduce")
struct ReduceTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Reduce") { source, token in
      source.reduce(0) { (sum: Int, value: Int) -> Int in withExtendedLifetime(token) { sum + value } }
    }
  }

  @Test("requests unlimited demand, and sends one result when the upstream finishes")
  func combines() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.reduce("0") { (text: String, value: Int) -> String in "\(text)+\(value)" }.record(
      demanding: .max(3), returning: .max(9))
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("0+1+2"), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("buffers the result until there is demand")
  func waits() {
    let recorder = [1, 2, 3].lazy.publisher.reduce(0) { (sum: Int, value: Int) -> Int in sum + value }.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(6), .finished])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(6), .finished])
  }

  @Test("sends the initial result without values")
  func empty() {
    let recorder = Empty<Int, TestError>().reduce(7) { (sum: Int, value: Int) -> Int in sum + value }.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("releases the buffered result and the subscriber at a cancellation")
  func cancelsWaiting() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.reduce(0) { (sum: Int, value: Int) -> Int in sum + value }.record()
    source.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited)])
    #expect(
      isReleased { token in
        let recorder = NumberPublisher(1).reduce(token) { (token: Token, _: Int) -> Token in token }.map { _ in 0 }
          .record()
        recorder.cancel()
      })
  }

  @Test("drops the result when the upstream fails")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.reduce(0) { (sum: Int, value: Int) -> Int in sum + value }.record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }
}

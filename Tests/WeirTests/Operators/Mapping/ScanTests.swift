import Testing
import Weir

@testable import TestSupport

@Suite("scan")
struct ScanTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.scan(0) { (sum: Int, value: Int) -> Int in withExtendedLifetime(token) { sum + value } }
    }
  }

  @Test("sends each result but the initial one, and forwards demand unchanged")
  func combines() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.scan("0") { (text: String, value: Int) -> String in "\(text)+\(value)" }.record(
      demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    #expect(source.send(2) == .max(2))
    recorder.request(.max(5))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("0+1"), .value("0+1+2"), .finished])
    #expect(source.events == [.requested(.max(1)), .requested(.max(5))])
  }

  @Test("finishes without a value when the upstream does, with any demand")
  func empty() {
    let recorder = Empty<Int, TestError>().scan(1) { (sum: Int, value: Int) -> Int in sum + value }.record()
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("forwards the upstream's own subscription, and each subscriber has its own result")
  func passesThrough() {
    let source = PassthroughSubject<Int, TestError>()
    let sums = source.scan(0) { (sum: Int, value: Int) -> Int in sum + value }
    let first = sums.record(demanding: .unlimited)
    source.send(1)
    let second = sums.record(demanding: .unlimited)
    source.send(2)
    #expect(first.subscription.map { String(describing: $0) } == "PassthroughSubject")
    #expect(first.values == [1, 3])
    #expect(second.values == [2])
  }
}

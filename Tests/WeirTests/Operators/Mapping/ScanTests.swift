import Testing
import Weir

@testable import TestSupport

@Suite("scan")
struct ScanTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "Scan") { source, token in
      source.scan(0) { (sum: Int, value: Int) -> Int in withExtendedLifetime(token) { sum + value } }
    }
  }

  @Test("sends every result but not the initial one, and passes demand on unchanged")
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

  @Test("finishes without a value when the upstream does, whatever the demand")
  func empty() {
    let recorder = Empty<Int, TestError>().scan(1) { (sum: Int, value: Int) -> Int in sum + value }.record()
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("doesn't call its closure after a cancel, nor sends what it makes of a value that cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    var inputs: [Int] = []
    source.scan(0) { (sum: Int, value: Int) -> Int in
      inputs.append(value)
      recorder.cancel()
      return sum + value
    }.subscribe(recorder)
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription])
    #expect(inputs == [1])
  }
}

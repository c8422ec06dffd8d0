import Testing
import Weir

@testable import TestSupport

@Suite("compactMap")
struct CompactMapTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.compactMap { (value: Int) -> Int? in withExtendedLifetime(token) { value == 2 ? nil : value } }
    }
  }

  @Test("filters out nil results, and requests one more for each")
  func leavesOut() {
    let source = ManualPublisher<String, TestError>()
    let recorder = source.compactMap { (text: String) -> Int? in Int(text) }.record(
      demanding: .max(1), returning: .max(4))
    #expect(source.send("x") == .max(1))
    #expect(source.send("1") == .max(4))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("composes its closure with that of a map or another compactMap")
  func composes() {
    let once = AnyPublisher(["1", "x", "3", "-5"].publisher).compactMap { (text: String) -> Int? in Int(text) }
    let thrice = once.map { (value: Int) -> Int in value - 2 }.compactMap { (value: Int) -> String? in
      value < -5 ? nil : "\(value)"
    }
    #expect(type(of: thrice) == Publishers.CompactMap<AnyPublisher<String, Never>, String>.self)
    #expect(thrice.record(demanding: .unlimited).values == ["-1", "1"])
  }

  @Test("forwards all upstream events, also unexpected ones")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.compactMap { (value: Int) -> Int? in value }.record(returning: .max(2))
    #expect(source.send(1) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.value(1), .finished])
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("checkpoint")
struct CheckpointTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.map { (value: Int) in withExtendedLifetime(token) { value } }.checkpoint("here")
    }
  }

  @Test("stores its name and location")
  func knowsItsPlace() {
    let checkpoint = Empty<Int, Never>().checkpoint("here")
    #expect(checkpoint.name == "here")
    #expect("\(checkpoint.file)" == #fileID)
    #expect(checkpoint.line == #line - 3)
  }

  @Test("attaches the unchanged subscriber to the upstream")
  func isFree() {
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    let source = ManualPublisher<Int, Never>()
    source.checkpoint("here").subscribe(recorder)
    #expect(source.subscribers.map(\.combineIdentifier) == [recorder.combineIdentifier])
    #expect(source.send(1) == .none)
    #expect(recorder.events == [.subscription, .value(1)])
  }
}

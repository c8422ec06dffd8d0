import Testing
import Weir

@testable import TestSupport

@Suite("decode")
struct DecodeTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Decode", guarding: .ends) { source, token in
      source.map { (value: Int) -> String in "<\(value)>" }
        .decode(type: Int.self, decoder: TextCoder { withExtendedLifetime(token) {} })
    }
  }

  @Test("decodes each value, and forwards demand and the completion unchanged")
  func decodes() {
    let source = ManualPublisher<String, TestError>()
    let recorder = source.decode(type: Int.self, decoder: TextCoder()).record(demanding: .max(2), returning: .max(3))
    #expect(source.send("<1>") == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with the decoder's error")
  func throwing() {
    checkThrowing { source, probe in
      source.map { (value: Int) -> String in "<\(value)>" }.decode(type: Int.self, decoder: TextCoder(probe))
    }
    let source = ManualPublisher<String, TestError>()
    let recorder = source.decode(type: Int.self, decoder: TextCoder()).record(demanding: .unlimited)
    #expect(source.send("one") == .none)
    #expect(recorder.events == [.subscription, .failed(.other)])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }
}

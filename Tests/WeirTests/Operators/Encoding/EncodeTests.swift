import Testing
import Weir

@testable import TestSupport

@Suite("encode")
struct EncodeTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Encode", guarding: .ends) { source, token in
      source.encode(encoder: TextCoder { withExtendedLifetime(token) {} })
    }
  }

  @Test("encodes each value, and forwards demand and the completion unchanged")
  func encodes() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.encode(encoder: TextCoder()).record(demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(3))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value("<1>"), .failed(.oops)])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with the encoder's error")
  func throwing() {
    checkThrowing { source, probe in source.encode(encoder: TextCoder(probe)) }
  }
}

/// Encloses numbers in angle brackets, and extracts them again.
struct TextCoder: TopLevelEncoder, TopLevelDecoder {
  let probe: () throws -> Void

  init(_ probe: @escaping () throws -> Void = {}) {
    self.probe = probe
  }

  func encode<T: Encodable>(_ value: T) throws -> String {
    try probe()
    return "<\(value)>"
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    try probe()
    guard let value = Int(text.dropFirst().dropLast()) as? T else { throw TestError.other }
    return value
  }
}

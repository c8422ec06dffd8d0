import Testing
import Weir

@testable import TestSupport

@Suite("encode")
struct EncodeTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "Encode", guarding: .ends) { source, token in
      source.encode(encoder: TextCoder { withExtendedLifetime(token) {} })
    }
  }

  @Test("encodes each value, and passes demand and the end on unchanged")
  func encodes() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.encode(encoder: TextCoder()).record(demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(3))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value("<1>"), .failed(.oops)])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with what the encoder throws")
  func throwing() {
    checkThrowing { source, probe in source.encode(encoder: TextCoder(probe)) }
  }
}

/// Puts numbers between angle brackets, and takes them out again.
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

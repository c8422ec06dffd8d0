import Testing
import Weir

@testable import TestSupport

@Suite("replaceNil")
struct ReplaceNilTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.map { (value: Int) -> Int? in withExtendedLifetime(token) { value == 2 ? nil : value } }
        .replaceNil(with: 0)
    }
  }

  @Test("replaces each nil with the value, and forwards demand and the completion unchanged")
  func replaces() {
    let source = ManualPublisher<Int?, TestError>()
    let recorder = source.replaceNil(with: 7).record(demanding: .max(2), returning: .max(3))
    #expect(source.send(nil) == .max(3))
    #expect(source.send(1) == .max(3))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(7), .value(1), .failed(.oops)])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("removes one level of optionals")
  func types() {
    let values = [1, nil, 3].lazy.publisher.replaceNil(with: 2).record(demanding: .unlimited).values
    #expect(values == [1, 2, 3])
  }
}

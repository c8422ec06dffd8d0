import Testing
import Weir

@testable import TestSupport

@Suite("AnyPublisher")
struct AnyPublisherTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.eraseToAnyPublisher()
    }
  }

  @Test("forwards subscription, demand, values and completion unchanged")
  func passesThrough() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.eraseToAnyPublisher().record(demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(3))
    recorder.request(.max(4))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(recorder.subscription?.combineIdentifier == source.subscriptions.first?.combineIdentifier)
    #expect(source.events == [.requested(.max(2)), .requested(.max(4))])
  }

  @Test("passes a subscriber with the same identifier to the publisher, also through several wrappers")
  func identifier() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.eraseToAnyPublisher().eraseToAnyPublisher().record()
    #expect(source.subscribers.first?.combineIdentifier == recorder.combineIdentifier)
  }

  @Test("has its documented name")
  func description() {
    let publisher = AnyPublisher(Just(1))
    #expect(publisher.description == "AnyPublisher")
    #expect(publisher.playgroundDescription as? String == "AnyPublisher")
  }
}

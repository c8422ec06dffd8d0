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

  @Test("can be created in generic code that pairs values")
  func pairs() {
    func pair<A, B>(_ a: A, _ b: B) -> AnyPublisher<(A, B), Never> { Just((a, b)).eraseToAnyPublisher() }
    func tagged<P: Publisher, Tag>(_ source: P, _ tag: Tag) -> AnyPublisher<(P.Output, Tag), P.Failure> {
      AnyPublisher(source.map { ($0, tag) }.prepend(Empty<(P.Output, Tag), P.Failure>()))
    }
    #expect(pair(1, "a").map { "\($0)\($1)" }.record(demanding: .unlimited).values == ["1a"])
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = tagged(subject, "b").map { "\($0)\($1)" }.record(demanding: .unlimited)
    subject.send(2)
    subject.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value("2b"), .failed(.oops)])
  }

  @Test("wraps an object without another one")
  func objects() {
    let subject = PassthroughSubject<Int, Never>()
    let recorders = [subject.eraseToAnyPublisher(), AnyPublisher(subject), subject.share().eraseToAnyPublisher()]
      .map { $0.record(demanding: .unlimited) }
    subject.send(1)
    #expect(recorders.map(\.values) == [[1], [1], [1]])
    #expect(subject.eraseToAnyPublisher()._scalarValue == nil)
  }

  @Test("has its documented name")
  func description() {
    let publisher = AnyPublisher(Just(1))
    #expect(publisher.description == "AnyPublisher")
    #expect(publisher.playgroundDescription as? String == "AnyPublisher")
  }

  @Test("knows the value of a publisher that only sends that")
  func scalar() {
    let just = Just(1).eraseToAnyPublisher()
    #expect(just._scalarValue == 1)
    #expect(just.setFailureType(to: TestError.self).eraseToAnyPublisher()._scalarValue == 1)
    #expect(Result<Int, TestError>.success(2).publisher.eraseToAnyPublisher()._scalarValue == 2)
    #expect(Result<Int, TestError>.failure(.oops).publisher.eraseToAnyPublisher()._scalarValue == nil)
    #expect(Optional(3).publisher.eraseToAnyPublisher()._scalarValue == 3)
    #expect(Int?.none.publisher.eraseToAnyPublisher()._scalarValue == nil)
    #expect([4].publisher.eraseToAnyPublisher()._scalarValue == nil)
    let source = ManualPublisher<Int, TestError>()
    #expect(source.eraseToAnyPublisher()._scalarValue == nil)
    #expect(source.subscribers.isEmpty)
  }

  @Test("sends the same events for such a publisher as without erasure, behind flatMap too")
  func scalarEvents() {
    let just = Just(1).setFailureType(to: TestError.self).eraseToAnyPublisher()
    let recorder = just.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    let outer = [1, 2].publisher.setFailureType(to: TestError.self)
    let flat = outer.flatMap { (value: Int) -> AnyPublisher<Int, TestError> in
      value == 1 ? just : Fail(error: .oops).eraseToAnyPublisher()
    }
    #expect(flat.record(demanding: .unlimited).events == [.subscription, .value(1), .failed(.oops)])
    let slow = outer.flatMap(maxPublishers: .max(1)) { (_: Int) -> AnyPublisher<Int, TestError> in just }.record()
    #expect(slow.events == [.subscription])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1)])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1), .value(1), .finished])
  }
}

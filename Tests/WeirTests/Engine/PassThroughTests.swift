import Testing

@testable import TestSupport
@testable import Weir

@Suite("PassThrough")
struct PassThroughTests {
  /// Writes even values out, and asks again in the place of odd values.
  struct Even: PassThroughOperation {
    typealias Input = Int
    typealias Output = String
    typealias UpstreamFailure = TestError
    typealias Failure = Never

    static var name: StaticString { "Even" }

    func receive<D: Subscriber>(_ input: Int, for downstream: D) -> Subscribers.Demand where D.Input == String {
      input.isMultiple(of: 2) ? downstream.receive("\(input)") : .max(1)
    }

    func end(_ completion: Subscribers.Completion<TestError>) -> Subscribers.Completion<Never> { .finished }
  }

  @Test("is a value that hands the upstream's subscription on and keeps nothing back")
  func passesThrough() {
    let recorder = Recorder<String, Never>(returning: .max(5))
    let subscriber = PassThrough(Even(), downstream: recorder)
    let upstream = ManualSubscription()
    subscriber.receive(subscription: upstream)
    #expect(recorder.subscription as? ManualSubscription === upstream)
    #expect(subscriber.receive(1) == .max(1))
    #expect(subscriber.receive(2) == .max(5))
    subscriber.receive(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value("2"), .finished])
    #expect(subscriber.description == "Even")
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
  }
}

import Testing
import Weir

@testable import TestSupport

/// Deliveries on another thread, while the subscriber still receives its subscription.
@Suite("delivering a subscription")
struct HandingOverTests {
  /// A publisher, and an action that makes it deliver 1 to a subscriber with unlimited demand.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> (AnyPublisher<Int, TestError>, () -> Void)

    init<P: Publisher<Int, TestError> & SendableMetatype>(
      _ name: String, _ make: @escaping @Sendable () -> (P, () -> Void)
    ) {
      testDescription = name
      self.make = {
        let (publisher, deliver) = make()
        return (publisher.eraseToAnyPublisher(), deliver)
      }
    }

    /// An operator on a subject that is sent to.
    static func sending<P: Publisher<Int, TestError> & SendableMetatype>(
      _ name: String, _ operation: @escaping @Sendable (PassthroughSubject<Int, TestError>) -> P
    ) -> Case {
      Case(name) {
        let subject = PassthroughSubject<Int, TestError>()
        return (operation(subject), { subject.send(1) })
      }
    }
  }

  static let cases: [Case] = [
    .sending("subject") { $0 },
    .sending("map") { $0.map { (value: Int) -> Int in value } },
    .sending("scan") { $0.scan(0) { (_: Int, value: Int) -> Int in value } },
    .sending("removeDuplicates") { $0.removeDuplicates() },
    .sending("prefix") { $0.prefix(1) },
    .sending("append") { $0.append(2) },
    .sending("handleEvents") { $0.handleEvents() },
    Case("current value") {
      let subject = CurrentValueSubject<Int, TestError>(0)
      return (subject.filter { (value: Int) -> Bool in value > 0 }, { subject.send(1) })
    },
    Case("future") {
      var promise: Future<Int, TestError>.Promise?
      return (Future<Int, TestError> { promise = $0 }, { promise?(.success(1)) })
    },
  ]

  @Test("a delivery by another thread meanwhile follows the subscription", arguments: cases)
  func otherThread(_ test: Case) {
    let (publisher, deliver) = test.make()
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      log.append("enter")
      subscription.request(.unlimited)
      onAnotherThread(deliver)
      log.append("leave")
    }
    recorder.onValue = { (value: Int) in
      log.append("value \(value)")
      return .none
    }
    publisher.subscribe(recorder)
    #expect(log.prefix(3) == ["enter", "leave", "value 1"])
  }
}

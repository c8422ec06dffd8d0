import Testing
import Weir
import WeirTesting

@Suite("Verifying publishers, subjects and subscribers", .plainRules)
struct OtherVerificationTests {
  @Test("publishers")
  func publishers() throws {
    try PublisherVerification { [1, 2, 3].lazy.publisher }.run().check()
    try PublisherVerification { (scheduler: VirtualTimeScheduler) in
      Just(1).delay(for: 1, scheduler: scheduler)
    }.run(length: 4).check()
    let report = PublisherVerification(named: "Lost") { [1, 2].lazy.publisher.faulty(.ignoresDemand) }.run()
    #expect(
      report.description.hasPrefix(
        """
        Lost breaks 1 of 18 rules.
        ✗ 1.1   The number of values never exceeds the demand.
                subscribe → subscription(Faulty), value(1), value(2), finished
                value(1) arrived when the total demand was 0.
        """))
  }

  @Test("subjects")
  func subjects() throws {
    try SubjectVerification(.deliversNested) { PassthroughSubject<Int, UpstreamFailure>() }.run().check()
    try SubjectVerification(values: ["a"], failure: nil, .deliversNested) {
      CurrentValueSubject<String, Never>("")
    }.run().check()
    let report = SubjectVerification(.deliversNested) { Deaf() }.run()
    #expect(report.failures.map(\.rule).prefix(2) == ["1.4", "1.5"])
  }

  @Test("subscribers")
  func subscribers() throws {
    try SubscriberVerification {
      Subscribers.Sink<Int, UpstreamFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    }.run().check()
    let report = SubscriberVerification { Greedy() }.run()
    #expect(
      report.failures.map(\.description).joined(separator: "\n") == """
        ✗ 2.5   A second subscription is cancelled, and the first one kept.
                subscribe                     → requests unlimited from the upstream
                upstream sends a subscription → requests unlimited from the upstream through subscription 2
                The second subscription received a request.
        """)
  }
}

/// A subject that never delivers a completion.
private final class Deaf: Subject {
  typealias Output = Int
  typealias Failure = UpstreamFailure
  private let inner = PassthroughSubject<Int, UpstreamFailure>()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == UpstreamFailure {
    inner.subscribe(subscriber)
  }
  func send(_ value: Int) { inner.send(value) }
  func send(completion: Subscribers.Completion<UpstreamFailure>) {}
  func send(subscription: any Subscription) { inner.send(subscription: subscription) }
}

/// A subscriber that accepts every subscription.
private struct Greedy: Subscriber {
  typealias Input = Int
  typealias Failure = UpstreamFailure
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<UpstreamFailure>) {}
}

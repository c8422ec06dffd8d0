import Foundation
import Testing
import Weir

@testable import TestSupport
@testable import WeirTesting

@Suite("The harness of a verification")
struct HarnessTests {
  // Not under Thread Sanitizer: the blocked thread continues during the script, because of the operator's lock.
  #if !WEIR_BARE && !WEIR_PTHREAD_LOCK
  @Test("names a lock that blocks calls during a delivery")
  func namesLock() {
    let rules: Set = ["1.3", "3.2", "C6", "C10"]
    let report = VerifiedRules.$current.withValue(rules) {
      OperatorVerification { Locking(upstream: $0) }.run(length: 3)
    }
    #expect(report.failures.map(\.rule) == ["C6"])
    #expect(
      report["C10"]
        == .notApplicable("a lock is held during a delivery, which could block its scripts forever."))
  }
  #endif

  #if !WEIR_BARE
  @Test("reads no stored properties of a subscription that another thread may change")
  func reflects() {
    func readCount(of subscription: some Subscription, _ property: Readable) -> Int {
      let subscriber = ConcurrentSubscriber<Int, Never>(ConcurrentRun())
      subscriber.receive(subscription: subscription)
      subscriber.look()
      return property.readCount.value
    }
    let (plain, reflected) = (Readable(), Readable())
    #expect(readCount(of: Storing(property: plain), plain) == 0)
    #expect(readCount(of: Reflecting(property: reflected), reflected) == 1)
  }
  #endif

  @Test("releases what it verifies, also after scripts without an end")
  func releases() {
    let attachments = Attachments()
    Attachments.$current.withValue(attachments) {
      VerifiedRules.$current.withValue(VerifiedRules.plain) {
        _ = OperatorVerification { $0.faulty(nil) }.run(length: 3)
        #expect(attachments.living == nil)
        _ = OperatorVerification { $0.delay(for: 200, scheduler: $1) }.run(length: 3)
        #expect(attachments.living == nil)
        _ = PublisherVerification { Counting(mistake: nil) }.run(length: 3)
        #expect(attachments.living == nil)
        _ = SubjectVerification(.deliversNested) { PassthroughSubject<Int, UpstreamFailure>() }.run(length: 3)
        #expect(attachments.living == nil)
        _ = SubscriberVerification {
          Subscribers.Sink<Int, UpstreamFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
        }.run(length: 3)
        #expect(attachments.living == nil)
      }
    }
  }
}

/// A property that counts its descriptions.
private final class Readable: CustomStringConvertible, Sendable {
  let readCount = LiveCount()

  var description: String {
    readCount.add(1)
    return "property"
  }
}

private struct Storing: Subscription {
  let property: Readable
  let combineIdentifier = CombineIdentifier()

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

private struct Reflecting: Subscription, CustomReflectable {
  let property: Readable
  let combineIdentifier = CombineIdentifier()

  var customMirror: Mirror { Mirror(self, children: ["property": property]) }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

/// Holds a lock that isn't recursive while it delivers.
private struct Locking<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(AnySubscriber(subscriber)))
  }

  private final class Inner: Subscriber, Subscription {
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var upstream: (any Subscription)?

    init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }

    func receive(subscription: any Subscription) {
      upstream = subscription
      subscriber?.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand { lock.withLock { subscriber?.receive(input) ?? .none } }

    func receive(completion: Subscribers.Completion<Failure>) { subscriber.take()?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      lock.withLock { subscriber = nil }
      upstream?.cancel()
    }
  }
}

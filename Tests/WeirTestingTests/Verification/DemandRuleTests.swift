import Foundation
import Testing
import Weir

@testable import TestSupport
@testable import WeirTesting

@Suite("Verifying demand")
struct DemandRuleTests {
  /// The reasons why rules are broken, by their numbers.
  private func breaches(of rules: Set<String>, _ verify: () -> VerificationReport) -> [String: String] {
    let failures = VerifiedRules.$current.withValue(rules) { verify().failures }
    return failures.reduce(into: [:]) { reasons, row in
      if case .failed(_, let reason) = row.outcome { reasons[row.rule] = reason }
    }
  }

  @Test(
    "a publisher must count requests and returned demand",
    arguments: [
      (DemandMistake?.none, [:]),
      (.ignoresReturnedDemand, ["3.8": "1 values arrived instead of 2."]),
      (.replacesDemand, ["3.8": "4 values arrived instead of 5."]),
      (
        .countsReturnedDemandTwice,
        ["1.1": "value(3) arrived when the total demand was 2.", "3.8": "3 values arrived instead of 2."]
      ),
      (.neverCompletes, ["1.5": "No completion was delivered."]),
      (.completesOnDemand, ["2.9": "All values were delivered, but not the completion."]),
    ])
  func publishers(mistake: DemandMistake?, expected: [String: String]) {
    let found = breaches(of: ["1.1", "1.3", "1.5", "2.9", "3.3", "3.8", "C3", "C5"]) {
      PublisherVerification { Counting(mistake: mistake) }.run()
    }
    #expect(found == expected)
  }

  @Test(
    "an operator must count them while values wait",
    arguments: [
      (DemandMistake?.none, [:]),
      (.ignoresReturnedDemand, ["3.8": "1 values arrived instead of 2."]),
      (
        .deliversWhereverAsked,
        [
          "1.3": "value(2) was nested in another delivery.", "3.3": "value(2) was nested in another delivery.",
          "C5": "A call on another thread delivered a second value meanwhile.",
        ]
      ),
    ])
  func operators(mistake: DemandMistake?, expected: [String: String]) {
    let found = breaches(of: ["1.1", "1.3", "3.3", "3.8", "C1", "C3", "C5"]) {
      OperatorVerification([.holdsValues, .holdsFailure]) { Buffering(upstream: $0, mistake: mistake) }.run(length: 4)
    }
    #expect(found == expected)
  }

  @Test("a publisher completes, and needs no demand for that")
  func completion() {
    func row<P: Publisher>(
      _ rule: String, _ traits: VerificationTraits = [], of make: @escaping () -> P
    ) -> VerificationReport.Outcome? {
      VerifiedRules.$current.withValue([rule]) { PublisherVerification(traits, of: make).run(length: 0)[rule] }
    }
    #expect(
      row("1.5") { Counting(mistake: .neverCompletes) }
        == .failed(
          script: [
            "subscribe          → subscription(Counting)",
            "request(unlimited) → value(1), value(2), value(3), value(4), value(5), value(6)",
          ], reason: "No completion was delivered."))
    #expect(
      row("2.9") { Counting(mistake: .completesOnDemand) }
        == .failed(
          script: [
            "subscribe  → subscription(Counting)",
            "request(6) → value(1), value(2), value(3), value(4), value(5), value(6)",
          ], reason: "All values were delivered, but not the completion."))
    #expect(row("2.9") { Empty<Int, Never>() } == .passed)
    #expect(row("1.5") { Fail<Int, UpstreamFailure>(error: UpstreamFailure()) } == .passed)
    // It needs demand for a value that it drops.
    #expect(
      row("2.9", .holdsValues) { [1, 2, 3].publisher.filter { $0 < 3 } }
        == .notApplicable("the completion waits for its own values."))
  }

  @Test("an operator must not both request and return the demand of its subscriber")
  func doubledDemand() {
    let found = breaches(of: ["1.1", "3.8", "C1"]) {
      OperatorVerification(.passesSubscriptionOn) { Doubling(upstream: $0) }.run(length: 5)
    }
    #expect(
      found == ["1.1": "value(3) arrived when the total demand was 2.", "3.8": "3 values arrived instead of 2."])
  }

  @Test(
    "a subject must count returned demand, request it, complete late subscribers, and release the subscriptions",
    arguments: [
      (Relaying.Mistake?.none, [:]),
      (.ignoresReturnedDemand, ["3.8": "1 values arrived instead of 2."]),
      (.forgetsLateSubscribers, ["1.11": "A subscriber that came after the completion received none."]),
      (
        .omitsLateSubscription,
        ["1.11": "A subscriber that came after the completion: finished arrived before the subscription."]
      ),
      (
        .repeatsLastValue,
        ["1.11": "A subscriber that came after the completion received other events: value(2), finished."]
      ),
      (
        .keepsCancelled,
        ["C17": "The subscription that the subscriber received is alive, although its neighbors have released it."]
      ),
      (
        .ignoresSubscriptions,
        ["2.1": "The outstanding demand is unlimited, but the upstream received no further request."]
      ),
      (
        .forgetsSubscriptions,
        ["2.1": "The outstanding demand is unlimited, but the upstream received no further request."]
      ),
    ])
  func subjects(mistake: Relaying.Mistake?, expected: [String: String]) {
    let found = breaches(of: ["1.1", "1.4", "1.5", "1.11", "2.1", "3.8", "C17"]) {
      SubjectVerification([.dropsValues, .deliversNested, .isSentOnOneThread]) { Relaying(mistake) }.run()
    }
    #expect(found == expected)
  }

  @Test("3.3 compares the order of values unless it depends on the time of requests")
  func order() {
    let merged = { (traits: VerificationTraits) in
      breaches(of: ["3.3"]) {
        OperatorVerification(traits) { $0.flatMap { [$0, $0 * 10].lazy.publisher } }.run(length: 0)
      }
    }
    #expect(merged([.holdsValues, .dependsOnTiming]) == [:])
    #expect(
      merged([.holdsValues]) == [
        "3.3": "With nested requests 400 values arrived, with unlimited demand 400. "
          + "The first difference: value(10) instead of value(2)."
      ])
  }

  @Test("a delay may be longer than the time after a script", arguments: [1, 60])
  func delays(seconds: Int) {
    let found = breaches(of: ["1.10", "3.3", "3.8", "3.17", "C3"]) {
      OperatorVerification { $0.delay(for: .seconds(seconds), scheduler: $1) }.run(length: 0)
    }
    #expect(found == [:])
  }

  @Test("a publisher that completes at each request doesn't stop the verification")
  func endless() throws {
    let report = VerifiedRules.$current.withValue(["1.3", "1.7"]) { PublisherVerification { Endless() }.run() }
    #expect(report.failures.map(\.rule) == ["1.3", "1.7"])
  }
}

/// Sends a value and the completion at each request.
private struct Endless: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Inner(subscriber: AnySubscriber(subscriber)))
  }

  private struct Inner: Subscription {
    let subscriber: AnySubscriber<Int, Never>
    let combineIdentifier = CombineIdentifier()

    func request(_ demand: Subscribers.Demand) {
      _ = subscriber.receive(1)
      subscriber.receive(completion: .finished)
    }

    func cancel() {}
  }
}

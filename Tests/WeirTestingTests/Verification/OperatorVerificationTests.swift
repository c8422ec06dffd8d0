import Testing
import Weir

@testable import TestSupport
@testable import WeirTesting

@Suite("Verifying an operator", .plainRules)
struct OperatorVerificationTests {
  @Test("passes for an operator without mistakes")
  func passes() throws {
    let report = OperatorVerification { $0.faulty(nil) }.run()
    try report.check()
    #expect(
      report.description.hasPrefix(
        "Faulty conforms to all 36 rules.\n✓ 1.1   The number of values never exceeds the demand.\n"))
    #expect(report.scriptCount > 1000)
    #expect(report["1.1"] == .passed)
    #expect(report["9.9"] == nil)
  }

  @Test("names the trait of an operator that passes the upstream's subscription on")
  func hintsAtTrait() throws {
    let report = OperatorVerification { $0.map { (value: Int) -> Int in value } }.run()
    let lines = report.description.split(separator: "\n").prefix(2)
    #expect(lines[0].hasPrefix("Map breaks "))
    #expect(
      lines[1] == """
        It passes the upstream's own subscription downstream, as map does. If that is intended, verify it with the trait \
        .passesSubscriptionOn.
        """)
    let verified = OperatorVerification([.passesSubscriptionOn]) { $0.map { (value: Int) -> Int in value } }
      .run()
    #expect(verified.description.hasPrefix("Map conforms to all "))
  }

  @Test("detects that demand is ignored")
  func seesDemandIgnored() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.ignoresDemand) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 2 of 36 rules.
        ✗ 1.1   The number of values never exceeds the demand.
                subscribe        → subscription(Faulty), requests unlimited from the upstream
                upstream sends 1 → value(1)
                value(1) arrived when the total demand was 0.
        ✗ 3.8   Demand adds up, requested or returned, also during a delivery: 2 and 3 are 5.
                subscribe  → subscription(Faulty), requests unlimited from the upstream, value(1), value(2), value(3), value(4), and 17 more
                request(2)
                request(3)
                20 values arrived instead of 5.
        """)
  }

  @Test("detects that a value follows a cancellation")
  func seesValueAfterCancel() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.sendsAfterCancel) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 2 of 36 rules.
        ✗ 1.8   Nothing is delivered after cancel() has returned.
                subscribe        → subscription(Faulty)
                cancel()         → cancels the upstream
                upstream sends 1 → value(1)
                value(1) arrived after cancel() had returned.
        ✗ 3.13  After a completion or a cancellation, the subscriber and the values are released.
                subscribe          → subscription(Faulty)
                request(unlimited) → requests unlimited from the upstream
                upstream sends 1   → value(1)
                cancel()           → cancels the upstream
                The upstream or the subscription still retains the subscriber.
        """)
  }

  @Test("detects that a second subscription is accepted")
  func seesSecondSubscriptionKept() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.keepsSecondSubscription) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 1 of 36 rules.
        ✗ 2.5   A second subscription is cancelled, and the first one kept.
                subscribe                     → subscription(Faulty)
                upstream sends a subscription
                The second subscription was not cancelled.
        """)
  }

  @Test("detects that two threads request concurrently")
  func seesOverlappingRequests() {
    let concurrentRun = ConcurrentRun()
    var ticket: ConcurrentUpstream<Int>.UpstreamSubscription?
    ConcurrentUpstream(values: [1], concurrentRun: concurrentRun).subscribe(
      AnySubscriber<Int, UpstreamFailure>(
        receiveSubscription: { (subscription: any Subscription) in
          ticket = subscription as? ConcurrentUpstream<Int>.UpstreamSubscription
        }))
    guard let ticket else { return #expect(Bool(false), "There is no subscription.") }
    let before = ticket.beginAsking()
    ticket.request(.max(1))
    #expect(concurrentRun.faults == [])
    onAnotherThread { ticket.request(.max(1)) }
    #expect(concurrentRun.faults == [.overlappingRequests])
    ticket.endAsking(before)
  }

  @Test("detects that two threads deliver concurrently, and that the order is lost", .timeLimit(.minutes(10)))
  func seesThreads() throws {
    func breaks(_ rule: Rule, _ mistake: Mistake) -> Bool {
      var target = OperatorVerification { $0.faulty(mistake) }.target
      target.rounds = 1000
      guard case .scenario(let scenario) = rule.check else { return false }
      do { try scenario(target) } catch { return true }
      return false
    }
    #expect(breaks(.serialOnThreads, .deliversOnTwoThreads))
    #expect(breaks(.keepsOrder, .overtakes))
    let report = OperatorVerification(.holdsValues) { $0.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest) }
      .run(length: 2, rounds: 20)
    try report.check()
    #expect(report["2.7"] == .passed && report["2.11"] == .passed && report["C6"] == .passed && report["C7"] == .passed)
    #expect(
      OperatorVerification { $0.faulty(nil) }.run(length: 0)["2.7"]
        == .notApplicable("it runs only in multithreaded rounds, and `rounds` is 0."))
  }

  // Not under Thread Sanitizer: the blocked thread continues during the script, because of the operator's lock.
  #if !WEIR_PTHREAD_LOCK
  @Test("detects that a lock is held during a delivery", .timeLimit(.minutes(10)), arguments: [0, 1])
  func seesLocks(skipped: Int) {
    let report = OperatorVerification(.dropsValues) { $0.dropFirst(skipped).faulty(.locks) }.run(length: 0)
    guard case .failed(let script, let reason) = report["C6"] else { return #expect(Bool(false), "\(report)") }
    #expect(reason == "A cancellation on another thread was blocked: a lock is held.")
    // The upstream has sent no value on this thread while the cancellation continued on the other.
    let values = script.joined(separator: " ").split(separator: " ").filter { $0.hasPrefix("value(") }
    #expect(values.count == 1, "\(script)")
  }

  @Test(
    "detects that a lock is held during the subscription or the completion", .timeLimit(.minutes(10)),
    arguments: [
      (Mistake.locksForSubscription, "subscription"), (.locksForCompletion, "completion"),
      (.locksForCompletionAlone, "completion"),
    ])
  func seesLocks(mistake: Mistake, event: String) {
    let report = OperatorVerification { $0.faulty(mistake) }.run(length: 0)
    guard case .failed(_, let reason) = report["C6"] else { return #expect(Bool(false), "\(report)") }
    #expect(reason == "A cancellation on another thread was blocked during the \(event): a lock is held.")
    #expect(report.failures.map(\.rule) == ["C6"])
  }
  #endif

  @Test("detects that values are retained after the end")
  func seesKeptValues() {
    let report = OperatorVerification(values: VerificationValue.upTo(100)) { $0.faulty(.keepsValues) }.run(length: 0)
    guard case .failed(_, let reason) = report["3.13"] else { return #expect(Bool(false), "\(report)") }
    #expect(reason == "A value that the upstream has sent is still retained.")
  }

  @Test(
    "detects that large demands are replaced by smaller ones",
    arguments: [
      (Mistake.limitsDemand, "10 values arrived, and with unlimited demand from the start 1100."),
      (Mistake.replacesUnlimitedDemand, "1100 values arrived, and with unlimited demand from the start 1000."),
    ])
  func seesReplacedDemand(mistake: Mistake, reason: String) {
    let report = OperatorVerification { $0.faulty(mistake) }.run(length: 0)
    guard case .failed(_, let found) = report["3.17"] else { return #expect(Bool(false), "\(report)") }
    #expect(found == reason)
  }

  @Test("an operator that delivers on a thread of its own stops the verification, with advice")
  func stopsForOwnThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OperatorVerification { $0.faulty(.deliversOnTwoThreads) }.run()
    }
    let message = "The verified object calls its upstream or its subscriber on a thread of its own."
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(message) } == true)
  }

  @Test("allows the behavior that traits declare")
  func traits() throws {
    let strict = OperatorVerification { $0.prefix(1) }.run(length: 3)
    #expect(strict.failures.map(\.rule) == ["1.2", "C2"])
    let report = OperatorVerification([.endsEarly, .passesEarlyEvents]) { $0.prefix(1) }.run(length: 3)
    try report.check()
    #expect(report["1.2"] == .notApplicable("it may complete early."))
    try OperatorVerification(.passesSubscriptionOn) { $0.map { $0 + 1 } }.run(length: 3).check()
  }

  @Test("verifies an operator with a scheduler in virtual time")
  func virtualTime() throws {
    try OperatorVerification(.dropsValues) { $0.debounce(for: 1, scheduler: $1) }.run(length: 4).check()
  }

  @Test("an operator that subscribes again after the script hasn't accepted a second subscription")
  func lateRetry() throws {
    try OperatorVerification(.recovers) { upstream, scheduler in
      upstream.catch { _ in Just(()).delay(for: 10, scheduler: scheduler).flatMap { upstream } }
    }.run(length: 4).check()
  }

  @Test("sends other values than numbers")
  func otherValues() throws {
    let report = OperatorVerification(values: ["a", "b"]) { $0.faulty(.ignoresDemand) }.run(length: 2)
    guard case .failed(let script, let reason) = report["1.1"] else { return #expect(report["1.1"] != .passed) }
    #expect(script.last == "upstream sends a → value(a)")
    #expect(reason == "value(a) arrived when the total demand was 0.")
  }
}

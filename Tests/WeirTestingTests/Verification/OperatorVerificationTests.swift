import Testing
import Weir
import WeirTesting

@Suite("Verifying an operator")
struct OperatorVerificationTests {
  @Test("one that makes no mistake passes")
  func passes() throws {
    let report = OperatorVerification { $0.faulty(nil) }.run()
    try report.check()
    #expect(
      report.description.hasPrefix("Faulty keeps all 34 rules.\n✓ 1.1   Never more values than were asked for.\n"))
    #expect(report.scriptCount > 1000)
    #expect(report["1.1"] == .passed)
    #expect(report["9.9"] == nil)
  }

  @Test("it is seen that demand is ignored")
  func seesDemandIgnored() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.ignoresDemand) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 2 of 34 rules.
        ✗ 1.1   Never more values than were asked for.
                subscribe        → subscription(Faulty), asks the upstream for unlimited
                upstream sends 1 → value(1)
                When value(1) came, the demand had been 0 in all.
        ✗ 3.8   Requests add up: two and three are five.
                subscribe  → subscription(Faulty), asks the upstream for unlimited, value(1), value(2), value(3), value(4), and 17 more
                request(2)
                request(3)
                20 values came, and should be 5.
        """)
  }

  @Test("it is seen that a value follows a cancel")
  func seesValueAfterCancel() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.sendsAfterCancel) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 2 of 34 rules.
        ✗ 1.8   Nothing is delivered after cancel() has returned.
                subscribe        → subscription(Faulty)
                cancel()         → cancels the upstream
                upstream sends 1 → value(1)
                value(1) came after cancel() had returned.
        ✗ 3.13  After the end, and after a cancel, the subscriber is released.
                subscribe          → subscription(Faulty)
                request(unlimited) → asks the upstream for unlimited
                upstream sends 1   → value(1)
                cancel()           → cancels the upstream
                The subscriber is still there, while the upstream and the subscription are kept.
        """)
  }

  @Test("it is seen that a second subscription is kept")
  func seesSecondSubscriptionKept() throws {
    let error = try #require(throws: TestFailure.self) {
      try OperatorVerification { $0.faulty(.keepsSecondSubscription) }.run().check()
    }
    #expect(
      error.message == """
        Faulty breaks 1 of 34 rules.
        ✗ 2.5   A second subscription is cancelled, and the first one kept.
                subscribe                     → subscription(Faulty)
                upstream sends a subscription
                The second subscription was not cancelled.
        """)
  }

  @Test("what an operator may do is not held against it")
  func traits() throws {
    let strict = OperatorVerification { $0.prefix(1) }.run(length: 3)
    #expect(strict.failures.map(\.rule) == ["1.2"])
    let report = OperatorVerification(.endsEarly) { $0.prefix(1) }.run(length: 3)
    try report.check()
    #expect(report["1.2"] == .notApplicable("it may end early."))
    try OperatorVerification(.passesSubscriptionOn) { $0.map { $0 + 1 } }.run(length: 3).check()
  }

  @Test("an operator with a scheduler is verified in virtual time")
  func virtualTime() throws {
    try OperatorVerification(.dropsValues) { $0.debounce(for: 1, scheduler: $1) }.run(length: 4).check()
  }

  @Test("other values than numbers may be sent")
  func otherValues() throws {
    let report = OperatorVerification(values: ["a", "b"]) { $0.faulty(.ignoresDemand) }.run(length: 2)
    guard case .failed(let script, let reason) = report["1.1"] else { return #expect(report["1.1"] != .passed) }
    #expect(script.last == "upstream sends a → value(a)")
    #expect(reason == "When value(a) came, the demand had been 0 in all.")
  }
}

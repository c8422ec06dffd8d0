import Testing
import Weir

@testable import WeirTesting

@Suite("Verifying re-entry and threads")
struct NestedRuleTests {
  private typealias Upstream = AnyPublisher<VerificationValue, UpstreamFailure>

  /// The result of one rule.
  private func outcome<P: Publisher>(
    _ rule: String, of make: @escaping (Upstream) -> P
  ) -> VerificationReport.Outcome? {
    VerifiedRules.$current.withValue([rule]) {
      OperatorVerification(values: VerificationValue.upTo(100), of: make).run()[rule]
    }
  }

  @Test("an operator that enqueues nested calls passes C15, C16, C17 and C20", arguments: ["C15", "C16", "C17", "C20"])
  func keepsOrder(rule: String) {
    #expect(outcome(rule) { Summing(upstream: $0, mistake: nil) } == .passed)
  }

  @Test("an operator of Weir passes all of these rules", arguments: ["C15", "C16", "C17", "C19", "C20", "C21"])
  func passes(rule: String) {
    #expect(outcome(rule) { $0.removeDuplicates().append(SuccessorPublisher([7])) } == .passed)
  }

  @Test("C15 fails for an operator that writes its state after user code has run")
  func seesLostUpdate() {
    #expect(
      outcome("C15") { Summing(upstream: $0, mistake: .writesAfterUserCode) }
        == .failed(
          script: [
            "Inside the addition, in step 3, user code sends a value.",
            "subscribe          → subscription(Summing)",
            "request(unlimited) → requests unlimited from the upstream",
            "upstream sends 1   → value(2), value(1)",
            "upstream sends 3   → value(4)",
            "upstream sends 4   → value(8)",
            "upstream finishes  → finished",
          ],
          reason: "The subscriber received value(2), value(1), value(4), value(8), finished. "
            + "In sequence it receives value(1), value(3), value(6), value(10), finished."))
  }

  @Test("C16 fails for an operator that releases a value during a change")
  func seesReleaseInTheMiddle() {
    #expect(
      outcome("C16") { Summing(upstream: $0, mistake: .releasesInTheMiddle) }
        == .failed(
          script: [
            "Inside the deinit of a value, in step 4, user code sends a value.",
            "subscribe          → subscription(Summing)",
            "request(unlimited) → requests unlimited from the upstream",
            "upstream sends 1   → value(1)",
            "upstream sends 2   → value(4), value(3)",
            "upstream sends 4   → value(7)",
            "upstream finishes  → finished",
          ],
          reason: "The subscriber received value(1), value(4), value(3), value(7), finished. "
            + "In sequence it receives value(1), value(3), value(6), value(10), finished."))
  }

  @Test("C17 fails for an operator that retains itself")
  func seesCycle() {
    #expect(
      outcome("C17") { Summing(upstream: $0, mistake: .retainsItself) }
        == .failed(
          script: ["subscribe → subscription(Summing)", "cancel()  → cancels the upstream"],
          reason: "The subscription that the subscriber received is alive, although its neighbors have released it."))
  }

  @Test("C17 fails for an operator that retains its upstream's subscription")
  func seesRetainedUpstream() {
    guard case .failed(_, let reason) = outcome("C17", of: { Hoarding(upstream: $0) }) else {
      Issue.record("C17 passes.")
      return
    }
    #expect(reason == "The upstream's subscription is alive, although its neighbors have released it.")
  }

  /// The result of a rule for a subject.
  private func outcome<S: Subject>(
    _ rule: String, _ traits: VerificationTraits, length: Int = 0, rounds: Int = 0, ofSubject make: @escaping () -> S
  ) -> VerificationReport.Outcome? where S.Output == VerificationValue, S.Failure == UpstreamFailure {
    VerifiedRules.$current.withValue([rule]) {
      let values = VerificationValue.upTo(100)
      return SubjectVerification(values: values, failure: UpstreamFailure(), traits, of: make)
        .run(length: length, rounds: rounds)[rule]
    }
  }

  @Test("C18 fails for a subject that buffers values that were not requested")
  func seesHoarding() {
    #expect(
      outcome("C18", .holdsAtMost(0)) { QueueingSubject() }
        == .failed(
          script: [
            "One thread is inside the subscriber, which has requested 1.", "A second thread sends 1000 values.",
          ], reason: "1001 values were alive at the same time. The limit is 0, plus one for each thread."))
    #expect(outcome("C18", .holdsAtMost(0)) { PassthroughSubject() } == .passed)
  }

  @Test("C18 requires a bound")
  func boundIsNamed() {
    #expect(outcome("C18", []) { PassthroughSubject() } == .notApplicable("it declares no bound."))
  }

  @Test("C19 fails for a subject whose first thread delivers all values of the others")
  func seesUnfairness() {
    #expect(
      outcome("C19", []) { QueueingSubject() }
        == .failed(
          script: [
            "The upstream delivers a value on one thread, which is inside the subscriber.",
            "A second thread sends 1000 values. The first one continues.",
          ], reason: "It made 1001 deliveries, and must return after 402."))
    #expect(outcome("C19", []) { PassthroughSubject() } == .passed)
  }

  @Test("1.3 fails for a subject that delivers nested, unless it has the trait")
  func seesNesting() {
    let script = [
      "The subscriber sends a value during the first value.", "subscribe          → subscription(Queueing)",
      "request(unlimited)", "caller sends 1     → value(1), value(2)",
    ]
    func result(_ traits: VerificationTraits, _ mistake: QueueingSubject.Mistake?) -> VerificationReport.Outcome? {
      outcome("1.3", traits, length: 3) { QueueingSubject(mistake) }
    }
    #expect(
      result([], .deliversConcurrently)
        == .failed(script: script, reason: "value(2) was nested in another delivery."))
    #expect(
      result(.deliversNested, .deliversConcurrently) == .notApplicable("it delivers re-entrant events immediately."))
    #expect(result([], nil) == .passed)
  }

  @Test("2.11 fails for a subject that delivers on two threads, or loses demand", .timeLimit(.minutes(10)))
  func seesThreadsOfSubject() {
    func result(_ mistake: QueueingSubject.Mistake?, _ traits: VerificationTraits = []) -> VerificationReport.Outcome? {
      outcome("2.11", traits, rounds: 300) { QueueingSubject(mistake) }
    }
    func reason(_ outcome: VerificationReport.Outcome?) -> String {
      if case .failed(_, let reason) = outcome { reason } else { "\(String(describing: outcome))" }
    }
    #expect(reason(result(.deliversConcurrently)).hasPrefix("Two threads deliver at the same time. (Round "))
    #expect(reason(result(.losesDemand)).contains(" values arrived instead of 300. (Round "))
    #expect(result(nil) == .passed)
    // One thread sends to it.
    #expect(result(.deliversConcurrently, .isSentOnOneThread) == .passed)
    #expect(outcome("2.11", .deliversNested, rounds: 300) { PassthroughSubject() } == .passed)
  }

  @Test("2.11 fails for a publisher that loses demand", .timeLimit(.minutes(10)))
  func seesLostDemand() {
    func result(_ mistake: CountingTogether.Mistake?) -> VerificationReport.Outcome? {
      VerifiedRules.$current.withValue(["2.11"]) {
        PublisherVerification { CountingTogether(mistake: mistake) }.run(length: 0, rounds: 300)["2.11"]
      }
    }
    guard case .failed(_, let reason) = result(.losesDemand) else { return #expect(Bool(false), "2.11 passes.") }
    #expect(reason.contains(" values arrived instead of 200. (Round "))
    #expect(result(nil) == .passed)
  }

  @Test("C20 fails for an operator that attaches the next upstream while the first one delivers")
  func seesOverlap() {
    #expect(
      outcome("C20") { HastyAppend(upstream: $0, next: SuccessorPublisher([7])) }
        == .failed(
          script: [
            "During the first delivery, the upstream finishes.",
            "The next upstream delivers on another thread.",
          ], reason: "Two threads deliver at the same time."))
  }

  // MARK: Two threads

  /// The result of C21 without a guard in front of the operator: an erased upstream has one.
  private func unguardedOutcome<P: Publisher>(
    of make: @escaping (ThreadedUpstream<VerificationValue>) -> P
  ) -> VerificationReport.Outcome? {
    let target = VerificationTarget(kind: .operator, name: "Faulty", traits: []) { harness in
      let upstream = ThreadedUpstream(values: VerificationValue.upTo(100))
      harness.sender = upstream
      harness.present(make(upstream))
    }
    return VerifiedRules.$current.withValue(["C21"]) {
      var explorer = ScriptExplorer(target)
      return explorer.run(length: 0)["C21"]
    }
  }

  private func failure(inside place: String, _ reason: String) -> VerificationReport.Outcome {
    .failed(
      script: [
        "The upstream delivers value 1 on one thread, which is inside \(place).",
        "It delivers another value on a second thread.",
      ], reason: reason)
  }

  @Test("C21 fails for an operator that lets two threads into its subscriber")
  func seesTwoThreads() {
    let place = "receive(_:) of a subscriber"
    #expect(
      unguardedOutcome { Unguarded(upstream: $0) }
        == failure(inside: place, "Both threads are in user code, the second one in \(place)."))
  }

  @Test("C21 fails for an operator that lets two threads into a closure")
  func seesTwoThreadsInClosure() {
    #expect(
      unguardedOutcome { Unguarded(upstream: $0) { UserCode.runs("the closure") } }
        == failure(inside: "the closure", "Both threads are in user code, the second one in the closure."))
  }

  @Test("C21 fails for an operator that drops a second thread's values")
  func seesLoss() {
    #expect(
      unguardedOutcome { Losing(upstream: $0) }
        == failure(
          inside: "receive(_:) of a subscriber",
          "The subscriber received 1, 3, 4, finished. In sequence it receives 1, 2, 3, 4, finished."))
  }

  @Test("C21 passes for an operator that is guarded")
  func passesBehindBorder() {
    #expect(unguardedOutcome { $0.scan(0, +) } == .passed)
  }
}

import Testing
import Weir

@testable import TestSupport
@testable import WeirTesting

@Suite("Verifying re-entry, release and threads")
struct NestedRuleTests {
  private static let values = VerificationValue.upTo(100)

  /// What becomes of one rule.
  private func outcome(_ rule: String, _ verify: () -> VerificationReport) -> VerificationReport.Outcome? {
    VerifiedRules.$current.withValue([rule]) { verify()[rule] }
  }

  private func summing(_ mistake: NestedMistake?) -> OperatorVerification<
    VerificationValue, Summing<AnyPublisher<VerificationValue, UpstreamFailure>>
  > {
    OperatorVerification(values: Self.values) { Summing(upstream: $0, mistake: mistake) }
  }

  @Test(
    "an operator that serializes nested calls keeps C15, C16, C17 and C20", arguments: ["C15", "C16", "C17", "C20"])
  func passes(rule: String) {
    #expect(outcome(rule) { summing(nil).run(length: 0) } == .passed)
  }

  @Test("C15 fails for an operator that writes its state after user code has run")
  func seesLostUpdate() {
    #expect(
      outcome("C15") { summing(.writesAfterUserCode).run(length: 0) }
        == .failed(
          script: [
            "Inside the addition, in step 3, user code sends a value.",
            "subscribe          → subscription(Summing)",
            "request(unlimited) → asks the upstream for unlimited",
            "upstream sends 1   → value(2), value(1)",
            "upstream sends 3   → value(4)",
            "upstream sends 4   → value(8)",
            "upstream finishes  → finished",
          ],
          reason: "The subscriber received value(2), value(1), value(4), value(8), finished. "
            + "One after the other it is value(1), value(3), value(6), value(10), finished."))
  }

  @Test("C16 fails for an operator that releases a value in the middle of a change")
  func seesReleaseInTheMiddle() {
    guard
      case .failed(let script, let reason)? = outcome("C16", { summing(.releasesInTheMiddle).run(length: 0) })
    else { return #expect(Bool(false), "C16 is kept.") }
    #expect(script.first == "Inside the deinit of a value, in step 4, user code sends a value.")
    #expect(reason.hasSuffix("One after the other it is value(1), value(3), value(6), value(10), finished."))
  }

  @Test("C17 fails for an operator that holds itself")
  func seesLeak() {
    guard case .failed(_, let reason)? = outcome("C17", { summing(.holdsItself).run(length: 0) }) else {
      return #expect(Bool(false), "C17 is kept.")
    }
    #expect(reason.hasPrefix("The subscription is still there: Summing."))
  }

  @Test("C18 fails for a subject that keeps what was not requested")
  func seesHoarding() {
    guard
      case .failed(let script, let reason)? = outcome(
        "C18",
        {
          SubjectVerification(values: Self.values, failure: UpstreamFailure(), .holdsAtMost(0)) { Hoarding() }
            .run(length: 0)
        })
    else { return #expect(Bool(false), "C18 is kept.") }
    #expect(script.last == "Another thread sends 10000 values.")
    #expect(reason.hasPrefix("10001 values were alive at once. There may be 0,"))
  }

  @Test("C18 needs a bound, and values that can be counted")
  func boundNeedsCounting() {
    #expect(outcome("C18") { summing(nil).run(length: 0) } == .notApplicable("it names no bound."))
    #expect(
      outcome("C18") { OperatorVerification(.holdsAtMost(1)) { $0.map { $0 + 1 } }.run(length: 0) }
        == .notApplicable("its values can't be counted: give it those of VerificationValue."))
  }

  @Test("C19 fails for a subject whose first sender delivers all that others send")
  func seesUnfairness() {
    guard
      case .failed(_, let reason)? = outcome(
        "C19",
        {
          SubjectVerification(values: Self.values, failure: UpstreamFailure(), .deliversNested) { Hoarding() }
            .run(length: 0)
        })
    else { return #expect(Bool(false), "C19 is kept.") }
    #expect(reason == "Its call made 10002 deliveries. It should return after 256 at most.")
  }

  @Test("C20 fails for an operator that attaches the next upstream while the first one delivers")
  func seesOverlap() {
    guard
      case .failed(let script, let reason)? = outcome(
        "C20",
        {
          OperatorVerification(values: Self.values) {
            HastyAppend(upstream: $0, next: SuccessorPublisher<VerificationValue>([7]))
          }.run(length: 0)
        })
    else { return #expect(Bool(false), "C20 is kept.") }
    #expect(script.first == "The upstream finishes from inside its delivery. It is a publisher of a user's.")
    #expect(reason == "value(7) was delivered while another thread was inside the subscriber.")
  }

  @Test("C21 fails for an operator that lets two threads into its subscriber")
  func seesTwoThreads() {
    let bench = Bench(kind: .operator, name: "Unguarded", traits: []) { stage in
      let upstream = FreeUpstream(values: [1, 2, 3, 4], manner: stage.freeManner ?? .good)
      stage.sender = upstream
      stage.present(Unguarded(upstream: upstream))
    }
    guard case .scenario(let scenario) = Rule.survivesItsUpstream.check else {
      return #expect(Bool(false), "C21 looks at runs.")
    }
    var breach: Rule.Breach?
    do throws(Rule.Breach) { try scenario(bench) } catch { breach = error }
    #expect(breach?.reason == "value(4) was delivered while another thread was inside the subscriber.")
    #expect(breach?.lines.last == "It delivers on another thread as well.")
  }
}

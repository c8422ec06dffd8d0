#if !WEIR_BARE
import Weir

// Rules for a thread that calls the operator or its subscriber while another thread delivers.
extension Rule {
  static let neverOverlap = Rule(
    "C20", "Successive upstreams never deliver at the same time.", for: .operators
  ) { (target) throws(Violation) in
    for feed in Interference.Feed.allCases {
      for isFailure in [false, true] { try target.mustNotOverlap(feed, isFailure: isFailure) }
    }
  }

  static let serializesThreads = Rule(
    "C21", "Concurrent deliveries of an upstream are serialized, and none is lost.",
    for: .operators
  ) { (target) throws(Violation) in
    try target.mustSerializeThreads()
  }
}

// MARK: - Successive upstreams

extension VerificationTarget {
  /// Completes an upstream during its first delivery, which lasts until the next upstream can make no more progress.
  fileprivate func mustNotOverlap(_ feed: Interference.Feed, isFailure: Bool) throws(Rule.Violation) {
    let helpers = Helpers()
    let fault = Succession.$current.withValue(Succession { helpers.run($0) }) {
      Interference.$current.withValue(Interference(feed: feed)) { () -> String? in
        let meeting = Meeting(self) { number in
          guard number == 0 else { return }
          Succession.delivering?.complete(isFailure: isFailure)
          helpers.letOthersGoOn()
        }
        guard let meeting else { return nil }
        for _ in 0..<3 {
          helpers.settle()
          _ = meeting.sender.sendNext()
          meeting.passTime(0)
        }
        helpers.settle()
        meeting.finish()
        helpers.finish()
        meeting.passTime(100)
        return meeting.concurrentRun.faultyDelivery
      }
    }
    guard let fault = helpers.isBlocked ? "A delivering thread was blocked by another one." : fault else { return }
    let completes = isFailure ? "fails" : "finishes"
    throw Rule.Violation(
      lines: [
        "During the first delivery, the upstream \(completes).\(feed.text)",
        "The next upstream delivers on another thread.",
      ], reason: fault)
  }
}

// MARK: - An upstream on two threads

extension VerificationTarget {
  fileprivate func mustSerializeThreads() throws(Rule.Violation) {
    var serial: [Int: [String]] = [:]
    for ordinal in enter(at: nil).places.chosen(where: { !$0.isRelease && $0.step > 0 }) {
      let run = enter(at: ordinal)
      guard let place = run.entered else { continue }
      let expected = serial[place.step] ?? enter(after: place.step).deliveries
      serial[place.step] = expected
      guard let reason = run.fault ?? difference(run, from: expected) else { continue }
      throw Rule.Violation(
        lines: [
          "The upstream delivers value \(place.step) on one thread, which is inside \(place.name).",
          "It delivers another value on a second thread.",
        ], reason: reason)
    }
  }

  private func difference(_ run: Intrusion, from expected: [String]) -> String? {
    if !traits.isDisjoint(with: [.dependsOnTiming, .dropsValues]) || run.deliveries == expected { return nil }
    func list(_ texts: [String]) -> String { texts.isEmpty ? "nothing" : texts.joined(separator: ", ") }
    return "The subscriber received \(list(run.deliveries)). In sequence it receives \(list(expected))."
  }

  /// A run of three values and the completion, and its result.
  private struct Intrusion {
    var places: [Interference.Place] = []
    /// The place where the second thread has sent.
    var entered: Interference.Place?
    var deliveries: [String] = []
    var fault: String?
  }

  /// Sends on a second thread while the first one is at a place, or on the same thread after a value.
  private func enter(at ordinal: Int? = nil, after step: Int? = nil) -> Intrusion {
    var intrusion = Intrusion()
    let interference = Interference(feed: .foreign)
    let helpers = Helpers()
    Interference.$current.withValue(interference) {
      let meeting = Meeting(self) { _ in UserCode.runs("receive(_:) of a subscriber") }
      guard let meeting else { return }
      let sender = meeting.sender
      if let ordinal {
        interference.act(at: ordinal) { [weak interference] place in
          // A place outside a delivery lets the second thread enter.
          guard sender.isDelivering else { return }
          let hasSent = Shared(false)
          helpers.run {
            Interference.$intruded.withValue(interference) {
              let isSent = sender.sendNext()
              hasSent.withLock { $0 = isSent }
            }
          }
          helpers.letOthersGoOn()
          if hasSent.withLock({ $0 }) { intrusion.entered = place }
        }
      }
      interference.trace = meeting.harness.trace
      for number in 1...3 {
        meeting.harness.trace.step = number
        _ = sender.sendNext()
        if number == step { _ = sender.sendNext() }
        meeting.passTime(.milliseconds(10))
      }
      interference.trace = nil
      meeting.finish()
      intrusion.places = interference.places
      intrusion.deliveries = meeting.concurrentRun.deliveries
      intrusion.fault =
        helpers.isBlocked
        ? "The second thread was blocked."
        : interference.intrusion.map { "Both threads are in user code, the second one in \($0)." }
      intrusion.fault = intrusion.fault ?? meeting.concurrentRun.faultyDelivery
    }
    return intrusion
  }
}
#endif

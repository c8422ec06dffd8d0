import Weir

/// A publisher that a script drives step by step.
final class Verification<Output, Failure: Error> {
  /// The expectation of a step that was not met.
  struct Mismatch: Error {
    let message: String
  }

  let subscriber: TestSubscriber<Output, Failure>
  let scheduler: VirtualTimeScheduler?
  /// The number of entries of the history in front of those that no step has expected.
  private var readCount = 0

  init(scheduler: VirtualTimeScheduler?) {
    self.scheduler = scheduler
    subscriber = TestSubscriber(clock: scheduler)
  }

  /// The events that no step has expected.
  var unread: [Recorded<Output, Failure>] {
    subscriber.history[readCount...].filter(\.event.isReceived)
  }

  /// The first of these events, and the number of entries of the history up to it.
  private var next: (event: Recorded<Output, Failure>, end: Int)? {
    let history = subscriber.history
    return history[readCount...].firstIndex(where: \.event.isReceived).map { (history[$0], $0 + 1) }
  }

  /// Compares the next event with an expectation.
  func expect(_ expected: String, where isExpected: (TestEvent<Output, Failure>) -> Bool) throws {
    guard let next else { throw Mismatch(message: "expected \(expected), but received no event") }
    guard isExpected(next.event.event) else {
      throw Mismatch(message: "expected \(expected), but received \(list([next.event]))")
    }
    readCount = next.end
  }

  /// Skips the subscription, which needs no step.
  func passOverSubscription() {
    if readCount == 0, let next, case .subscription = next.event.event { readCount = next.end }
  }

  func expectNothing(during time: String) throws {
    guard next == nil else {
      throw Mismatch(message: "expected no event\(time), but received \(list(unread))")
    }
  }

  func run(_ steps: [VerificationStep<Output, Failure>], fileID: StaticString, line: UInt) throws {
    for step in steps {
      do {
        if !step.speaksOfSubscription { passOverSubscription() }
        try step.run(self)
        if let violation = subscriber.violations.first { throw Mismatch(message: violation.description) }
      } catch let mismatch as Mismatch {
        // The description of a violation is a sentence.
        let end = mismatch.message.last == "." ? "" : "."
        throw TestFailure("\(step.name): \(mismatch.message)\(end)\(whatCame)", fileID: step.fileID, line: step.line)
      }
    }
    passOverSubscription()
    if next != nil {
      throw TestFailure(
        "Events that no step expects followed the last step: \(list(unread)).\(whatCame)", fileID: fileID, line: line)
    }
  }

  private var whatCame: String {
    let events = subscriber.history
    return events.isEmpty ? "\nThere were no events." : "\nAll events: \(list(events))."
  }

  private func list(_ events: [Recorded<Output, Failure>]) -> String {
    events.map { scheduler == nil ? $0.event.description : $0.description }.joined(separator: ", ")
  }
}

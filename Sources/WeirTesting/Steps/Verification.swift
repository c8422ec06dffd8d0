import Weir

/// A publisher that a script drives step by step.
final class Verification<Output, Failure: Error> {
  /// The expectation of a step that was not met.
  struct Mismatch: Error {
    let message: String
  }

  let subscriber: TestSubscriber<Output, Failure>
  let scheduler: VirtualTimeScheduler?
  /// The number of events that steps have expected.
  private var readCount = 0

  init(scheduler: VirtualTimeScheduler?) {
    self.scheduler = scheduler
    subscriber = TestSubscriber(clock: scheduler)
  }

  /// The events that no step has expected.
  var unread: [Recorded<Output, Failure>] {
    Array(subscriber.history.filter(\.event.isReceived).dropFirst(readCount))
  }

  /// Compares the next event with an expectation.
  func expect(_ expected: String, where isExpected: (TestEvent<Output, Failure>) -> Bool) throws {
    guard let next = unread.first else { throw Mismatch(message: "expected \(expected), but received no event") }
    guard isExpected(next.event) else { throw Mismatch(message: "expected \(expected), but received \(list([next]))") }
    readCount += 1
  }

  /// Skips the subscription, which needs no step.
  func passOverSubscription() {
    if readCount == 0, case .subscription = unread.first?.event { readCount = 1 }
  }

  func expectNothing(during time: String) throws {
    guard unread.isEmpty else {
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
    if !unread.isEmpty {
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

public import Weir

/// Subscribes to a publisher and drives it through a script, step by step.
///
///     try verify([1, 2, 3].publisher.map { $0 * 10 }) {
///       request(2)
///       next(10, 20)
///       noEvent()
///       request(.unlimited)
///       next(30)
///       finished()
///     }
///
/// With a scheduler, the steps advance its time:
///
///     try verify(Just(1).delay(for: 2, scheduler: scheduler), on: scheduler) {
///       request(1)
///       noEvent(for: 1)
///       advance(by: 1)
///       next(1)
///       finished()
///     }
///
/// Each event needs a step that expects it, in order; the step for the subscription may be omitted. Only
/// ``request(_:fileID:line:)-(Int,_,_)`` requests values. The contract is checked after each step. At the end, an
/// active subscription is cancelled.
///
/// - Parameters:
///   - publisher: The publisher to verify.
///   - scheduler: The scheduler that ``noEvent(for:fileID:line:)`` and ``advance(by:fileID:line:)`` advance.
///   - fileID: The file to report for a failure.
///   - line: The line to report for a failure.
///   - steps: The actions and expected events.
/// - Throws: ``TestFailure``, which names the file and line of the step, the expected event and the actual event.
public func verify<P: Publisher>(
  _ publisher: P, on scheduler: VirtualTimeScheduler? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  @VerificationBuilder<P.Output, P.Failure> _ steps: () -> [VerificationStep<P.Output, P.Failure>]
) throws {
  let steps = steps()
  let verification = Verification<P.Output, P.Failure>(scheduler: scheduler)
  publisher.subscribe(verification.subscriber)
  defer {
    if verification.subscriber.completion == nil { verification.subscriber.subscription?.cancel() }
  }
  try verification.run(steps, fileID: fileID, line: line)
}

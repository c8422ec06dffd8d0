public import Weir

/// Subscribes to a publisher and leads it through a script, step by step.
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
/// With a scheduler the steps move its time:
///
///     try verify(Just(1).delay(for: 2, scheduler: scheduler), on: scheduler) {
///       request(1)
///       noEvent(for: 1)
///       advance(by: 1)
///       next(1)
///       finished()
///     }
///
/// Each event needs a step that speaks of it, in order; only the subscription may go without. Nothing is requested but by
/// ``request(_:fileID:line:)-(Int,_,_)``. The contract is checked after each step. In the end what is still subscribed
/// is cancelled.
///
/// - Parameters:
///   - publisher: what is to be verified.
///   - scheduler: moved by ``noEvent(for:fileID:line:)`` and ``advance(by:fileID:line:)``.
///   - fileID: the file that a failure names: the caller's.
///   - line: the line that it names.
///   - steps: what is done and expected.
/// - Throws: ``TestFailure``, which names the step by its file and line, what it expected and what came.
public func verify<P: Publisher>(
  _ publisher: P, on scheduler: VirtualTimeScheduler? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  @VerificationBuilder<P.Output, P.Failure> _ steps: () -> [VerificationStep<P.Output, P.Failure>]
) throws {
  let steps = steps()
  let verification = Verification<P.Output, P.Failure>(scheduler: scheduler)
  publisher.subscribe(verification.subscriber)
  defer { verification.subscriber.subscription?.cancel() }
  try verification.run(steps, fileID: fileID, line: line)
}

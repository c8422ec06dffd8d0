import Testing
import Weir

@testable import TestSupport

/// Checks the common behavior of all operators with a throwing closure.
///
/// - Parameters:
///   - before: The values before the first call of the closure.
///   - sourceLocation: The location to report for an issue.
///   - operation: Applies the operator to a source; its closure calls the one that is passed in.
func checkThrowing<P: Publisher>(
  after before: [P.Output] = [], sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: (ManualPublisher<Int, TestError>, @escaping () throws -> Void) -> P
) where P.Output: Equatable & Sendable, P.Failure == any Error {
  let sent: [Event<P.Output>] = [.subscription] + before.map { .value($0) }

  let source = ManualPublisher<Int, TestError>()
  var calls = 0
  let recorder = operation(source) {
    calls += 1
    throw TestError.oops
  }.record(demanding: .unlimited)
  var isCancelledBeforeTheFailure = false
  recorder.onCompletion = { isCancelledBeforeTheFailure = source.events.last == .cancelled }
  // A closure with two values is called at the second one.
  for _ in 0...before.count + 1 where calls == 0 { source.send(1) }
  #expect(recorder.events == sent + [.failed(.oops)], sourceLocation: sourceLocation)
  #expect(isCancelledBeforeTheFailure, "The upstream was not cancelled first.", sourceLocation: sourceLocation)
  #expect(source.send(1) == .none, sourceLocation: sourceLocation)
  source.send(completion: .failure(.other))
  source.send(completion: .finished)
  recorder.request(.max(1))
  #expect(calls == 1, "The closure was called again.", sourceLocation: sourceLocation)
  #expect(
    recorder.events == sent + [.failed(.oops)], "An event arrived after the failure.", sourceLocation: sourceLocation)
  #expect(source.events == [.requested(.unlimited), .cancelled], sourceLocation: sourceLocation)

  for isThrowing in [false, true] {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<P.Output, any Error>(demanding: .unlimited)
    operation(source) {
      recorder.cancel()
      if isThrowing { throw TestError.oops }
    }.subscribe(recorder)
    for _ in 0...before.count + 1 { source.send(1) }
    source.send(completion: .finished)
    #expect(recorder.events == sent, "An event arrived after the closure cancelled.", sourceLocation: sourceLocation)
    #expect(source.events == [.requested(.unlimited), .cancelled], sourceLocation: sourceLocation)
  }
}

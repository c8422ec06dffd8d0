import Testing
import Weir

@testable import TestSupport

/// Checks the common behavior of all publishers of the one value 7.
func checkSendsSevenAndFinishes(
  named name: String, sourceLocation: SourceLocation = #_sourceLocation, _ publisher: some Publisher<Int, some Error>
) {
  for demand in [Subscribers.Demand.max(1), .max(2), .unlimited] {
    #expect(
      publisher.record(demanding: demand, returning: .max(1)).events == [.subscription, .value(7), .finished],
      "\(demand)", sourceLocation: sourceLocation)
  }
  let waiting = publisher.record()
  #expect(waiting.events == [.subscription], "The value arrived without demand.", sourceLocation: sourceLocation)
  #expect(waiting.subscription.map { String(describing: $0) } == name, sourceLocation: sourceLocation)
  waiting.request(.max(1))
  waiting.request(.max(1))
  waiting.cancel()
  #expect(waiting.events == [.subscription, .value(7), .finished], sourceLocation: sourceLocation)

  let cancelled = publisher.record()
  cancelled.cancel()
  cancelled.request(.max(1))
  #expect(
    cancelled.events == [.subscription], "The value arrived after the cancellation.", sourceLocation: sourceLocation)

  let reentrant = Recorder(of: publisher, demanding: .max(1))
  reentrant.onValue = { [unowned reentrant] _ in
    reentrant.request(.unlimited)
    return .unlimited
  }
  publisher.subscribe(reentrant)
  #expect(reentrant.events == [.subscription, .value(7), .finished], sourceLocation: sourceLocation)

  let cancelling = Recorder(of: publisher, demanding: .max(1))
  cancelling.onValue = { [unowned cancelling] _ in
    cancelling.cancel()
    return .none
  }
  publisher.subscribe(cancelling)
  #expect(
    cancelling.events == [.subscription, .value(7)], "The completion arrived after the cancellation.",
    sourceLocation: sourceLocation)

  for ends in [false, true] {
    let kept = Box<(any Subscription)?>(nil)
    #expect(
      isReleased { token in
        let recorder = Recorder(of: publisher, demanding: ends ? .max(1) : .none)
        recorder.onCompletion = { withExtendedLifetime(token) {} }
        publisher.subscribe(recorder)
        kept.value = recorder.subscription
        if !ends { recorder.cancel() }
      }, "The subscriber outlives the end.", sourceLocation: sourceLocation)
    withExtendedLifetime(kept) {}
  }
}

extension Recorder {
  /// Creates a recorder for a publisher with inferred types.
  convenience init(of publisher: some Publisher<Input, Failure>, demanding demand: Subscribers.Demand) {
    self.init(demanding: demand)
  }
}

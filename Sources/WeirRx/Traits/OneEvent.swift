public import Synchronization
public import Weir

/// A publisher of the one event that a closure reports, for the traits.
///
/// If several threads report events, only the first counts, so at most one value is sent. `parts` returns the value and
/// the completion that an event stands for.
@inlinable
func oneEvent<Event, Output, Failure: Error>(
  asking: BufferAsking = .everythingWhenAsked,
  _ body: @escaping (@escaping (Event) -> Void) -> any Cancellable,
  parts: @escaping (Event) -> (value: Output?, completion: Subscribers.Completion<Failure>)
) -> AnyPublisher<Output, Failure> {
  Publishers.Create(asking: asking) { emitter in
    let isReported = AtomicFlag()
    return body { event in
      guard isReported.raise() else { return }
      let (value, completion) = parts(event)
      if let value { emitter.send(value) }
      emitter.send(completion: completion)
    }
  }.eraseToAnyPublisher()
}

/// A closure that other threads can call, for values that are `Sendable`.
@usableFromInline
func reportingElsewhere<Event>(
  _ body: @escaping (@escaping @Sendable (Event) -> Void) -> any Cancellable
) -> (@escaping (Event) -> Void) -> any Cancellable {
  { report in
    // Safety: an emitter sends on any thread, and only one thread passes the flag. (`TraitTests/races`)
    nonisolated(unsafe) let report = report
    return body { report($0) }
  }
}

/// A flag that several threads can raise; only one of them finds it lowered.
@usableFromInline
package final class AtomicFlag: Sendable {
  @usableFromInline
  let state = Atomic<Bool>(false)

  @inlinable
  init() {}

  /// Raises the flag; returns `false` if it was already raised.
  @inlinable
  @discardableResult
  func raise() -> Bool {
    !state.exchange(true, ordering: .acquiringAndReleasing)
  }

  package var isRaised: Bool { state.load(ordering: .acquiring) }
}

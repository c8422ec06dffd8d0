import Synchronization
import Weir

/// A publisher of the one event that a closure reports, for the traits.
///
/// If several threads report events, only the first counts, so at most one value is sent.
func oneEvent<Event, Output, Failure: Error>(
  asking: BufferAsking = .everythingWhenAsked, _ body: @escaping (@escaping (Event) -> Void) -> any Cancellable,
  send: @escaping (Event, Publishers.Create<Output, Failure>.Emitter) -> Void
) -> AnyPublisher<Output, Failure> {
  Publishers.Create(asking: asking) { emitter in
    let once = Once()
    return body { event in
      if once.isFirst() { send(event, emitter) }
    }
  }.eraseToAnyPublisher()
}

/// A flag that can be taken once.
private final class Once {
  private let isUsed = Atomic<Bool>(false)

  func isFirst() -> Bool {
    !isUsed.exchange(true, ordering: .acquiringAndReleasing)
  }
}

import Synchronization
import Weir

/// A publisher of what a closure tells once, for the traits.
///
/// Of several threads that tell something the first counts, so never more than one value is sent.
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

/// True once.
private final class Once {
  private let isUsed = Atomic<Bool>(false)

  func isFirst() -> Bool {
    !isUsed.exchange(true, ordering: .acquiringAndReleasing)
  }
}

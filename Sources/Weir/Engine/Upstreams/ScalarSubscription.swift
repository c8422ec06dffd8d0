public import Synchronization

/// The subscription of a publisher of one value, for a downstream that has unlimited demand.
///
/// A `Just` behind a few operators is often an inner publisher of `flatMap`, or in front of `sink`. Its events need no
/// request, and there is nothing to cancel:
///
///     Just ──▶ begin ──▶ StatefulSubscriber ──▶ begin ──▶ Sink, or UpstreamSubscriber of an opened publisher
///              next                             next
///              end                              end
///
/// So no operator on the way needs its own subscription. An operator in front of which other publishers can follow,
/// such as `append`, sends its own nevertheless. Only subscribers that know this class receive it: it is the type in
/// their ``Face``.
@usableFromInline
final class ScalarSubscription: Subscription {
  /// Whether the downstream takes no value, because it has terminated.
  @usableFromInline
  let isRefused = Atomic<Bool>(false)

  @usableFromInline
  var _isScalar: Bool { true }

  @usableFromInline
  init() {}

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {
    isRefused.store(true, ordering: .relaxed)
  }
}

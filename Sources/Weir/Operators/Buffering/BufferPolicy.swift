/// How a buffer requests values, how many it keeps, and how it handles the others.
@usableFromInline
package struct BufferPolicy<Value, Failure: Error> {
  /// The maximum number of values that are kept without demand.
  @usableFromInline
  let size: Int

  @usableFromInline
  let asking: BufferAsking

  @usableFromInline
  var whenFull: Publishers.BufferingStrategy<Failure>

  /// Whether the buffer behaves as Combine's does.
  ///
  /// Then it requests values before the downstream has its subscription. A failure overtakes values without demand, and
  /// a failure for a full buffer is delivered at the next request.
  @usableFromInline
  var matchesCombine = false

  /// Called with each value for which there was no room.
  @usableFromInline
  package var onDrop: ((Value) -> Void)?

  @inlinable
  package init(size: Int, asking: BufferAsking, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.size = size
    self.asking = asking
    self.whenFull = whenFull
  }

  /// The policy of Combine's buffer.
  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    let asking = prefetch == .keepFull ? BufferAsking.batches(of: 1) : .everything
    self.init(size: size, asking: asking, whenFull: whenFull)
    matchesCombine = true
  }

  /// The demand that is requested when the upstream's subscription arrives.
  @inlinable
  var firstRequest: Subscribers.Demand {
    switch asking {
    case .everything: .unlimited
    case .everythingWhenAsked: .none
    case .batches: .max(size)
    }
  }
}

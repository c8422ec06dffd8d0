/// How a buffer asks, what it keeps, and what becomes of the rest.
@usableFromInline
package struct BufferPolicy<Value, Failure: Error> {
  /// How many values are kept for which there is no demand.
  @usableFromInline
  let size: Int

  @usableFromInline
  let asking: BufferAsking

  @usableFromInline
  var whenFull: Publishers.BufferingStrategy<Failure>

  /// As Combine's: the upstream is asked before the downstream has its subscription, a failure overtakes what has no demand, and one for
  /// want of room follows the next request.
  @usableFromInline
  let isCombines: Bool

  /// Is told of each value for which there was no room.
  @usableFromInline
  var onDrop: ((Value) -> Void)?

  @inlinable
  package init(
    size: Int, asking: BufferAsking, whenFull: Publishers.BufferingStrategy<Failure>, isCombines: Bool = false,
    onDrop: ((Value) -> Void)? = nil
  ) {
    self.size = size
    self.asking = asking
    self.whenFull = whenFull
    self.isCombines = isCombines
    self.onDrop = onDrop
  }

  /// The policy of Combine's buffer.
  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    let asking = prefetch == .keepFull ? BufferAsking.batches(of: 1) : .everything
    self.init(size: size, asking: asking, whenFull: whenFull, isCombines: true)
  }

  /// What is asked of the upstream at its arrival.
  @inlinable
  var firstRequest: Subscribers.Demand {
    switch asking {
    case .everything: .unlimited
    case .everythingWhenAsked: .none
    case .batches: .max(size)
    }
  }
}

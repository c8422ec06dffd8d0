/// What a buffer asks of its upstream.
@usableFromInline
package enum BufferAsking {
  /// Everything, at once.
  case everything
  /// Everything, as soon as the downstream asks for anything.
  case everythingWhenAsked
  /// As many as there is room for, and so many more whenever that many have gone out.
  case batches(of: Int)
}

/// How a buffer asks, what it keeps, and what becomes of the rest.
@usableFromInline
package struct BufferPolicy<Value, Failure: Error> {
  /// How many values are kept for which there is no demand.
  @usableFromInline
  let size: Int

  /// What is asked of the upstream at its arrival.
  @usableFromInline
  let firstRequest: Subscribers.Demand

  /// How many have to go out before the upstream is asked for as many again; 0 if it has been asked for everything.
  @usableFromInline
  let batch: Int

  /// The upstream is to be asked for everything at the first request.
  @usableFromInline
  let asksLater: Bool

  /// As Combine's: the upstream is asked before the downstream has its subscription, and a failure overtakes what has no
  /// demand.
  @usableFromInline
  let isCombines: Bool

  @usableFromInline
  var whenFull: Publishers.BufferingStrategy<Failure>

  /// Is told of each value for which there was no room.
  @usableFromInline
  var onDrop: ((Value) -> Void)?

  @inlinable
  package init(
    size: Int, asking: BufferAsking, whenFull: Publishers.BufferingStrategy<Failure>, isCombines: Bool = false,
    onDrop: ((Value) -> Void)? = nil
  ) {
    self.size = size
    self.whenFull = whenFull
    self.isCombines = isCombines
    self.onDrop = onDrop
    switch asking {
    case .everything: (firstRequest, batch, asksLater) = (.unlimited, 0, false)
    case .everythingWhenAsked: (firstRequest, batch, asksLater) = (.none, 0, true)
    case .batches(let count): (firstRequest, batch, asksLater) = (.max(size), count, false)
    }
  }

  /// Combine's buffer.
  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.init(
      size: size, asking: prefetch == .keepFull ? .batches(of: 1) : .everything, whenFull: whenFull, isCombines: true)
  }
}

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

  /// A failure leaves what waits before it its place; else it overtakes, as in Combine.
  @usableFromInline
  let failsInOrder: Bool

  /// Is told of each value for which there was no room.
  @usableFromInline
  var onDrop: ((Value) -> Void)?

  @inlinable
  package init(
    size: Int, asking: BufferAsking, whenFull: Publishers.BufferingStrategy<Failure>, failsInOrder: Bool = true,
    onDrop: ((Value) -> Void)? = nil
  ) {
    self.size = size
    self.asking = asking
    self.whenFull = whenFull
    self.failsInOrder = failsInOrder
    self.onDrop = onDrop
  }

  /// The policy of Combine's buffer.
  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.init(
      size: size, asking: prefetch == .keepFull ? .batches(of: 1) : .everything, whenFull: whenFull, failsInOrder: false
    )
  }
}

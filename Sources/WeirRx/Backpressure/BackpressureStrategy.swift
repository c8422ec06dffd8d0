public import Weir

/// How a source that ignores demand treats its values.
public enum BackpressureStrategy<Failure: Error> {
  /// Buffers all values until there is demand.
  ///
  ///     emitter                                            -1-2-3-   4-|
  ///     demand                                             1-----2   -1
  ///     AnyPublisher<Int, Never>.create(.bufferAll, body)  -1----(23)-4|
  case bufferAll

  /// Buffers at most `size` values.
  ///
  /// `whenFull` says what happens to a value that finds the buffer full.
  ///
  ///     emitter                                                                         -1-2-3-4-|
  ///     demand                                                                          1-----2-1
  ///     AnyPublisher<Int, Never>.create(.buffer(size: 1, whenFull: .dropNewest), body)  -1----24-|
  case buffer(size: Int, whenFull: Publishers.BufferingStrategy<Failure>)

  /// Drops a value for which there is no demand.
  ///
  ///     emitter                                       -1-2-3-4-|
  ///     demand                                        1-----2-1
  ///     AnyPublisher<Int, Never>.create(.drop, body)  -1-----4-|
  case drop

  /// Keeps the latest value until there is demand.
  ///
  ///     emitter                                         -1-2-3-4-|
  ///     demand                                          1-----2-1
  ///     AnyPublisher<Int, Never>.create(.latest, body)  -1----34-|
  case latest

  /// The buffer policy that implements this strategy.
  @inlinable
  func policy<Value>(
    asking: BufferAsking, onDrop: ((Value) -> Void)? = nil
  ) -> BufferPolicy<Value, Failure> {
    let (size, whenFull): (Int, Publishers.BufferingStrategy<Failure>) =
      switch self {
      case .bufferAll: (.max, .dropNewest)
      case .buffer(let size, let whenFull): (size, whenFull)
      case .drop: (0, .dropNewest)
      case .latest: (1, .dropOldest)
      }
    if size < 0 { fatalError("A buffer requires a size of 0 or more, not \(size). Use .bufferAll for no limit.") }
    var policy = BufferPolicy<Value, Failure>(size: size, asking: asking, whenFull: whenFull)
    policy.onDrop = onDrop
    return policy
  }
}

public import Weir

/// What becomes of the values of a source that does not wait for demand.
public enum BackpressureStrategy<Failure: Error> {
  /// All are kept until there is demand.
  ///
  ///     emitter                                            -1-2-3-   4-|
  ///     demand                                             1-----2   -1
  ///     AnyPublisher<Int, Never>.create(.bufferAll, body)  -1----(23)-4|
  case bufferAll

  /// So many are kept; `whenFull` says what happens to a value for which there is no room.
  ///
  ///     emitter                                                                         -1-2-3-4-|
  ///     demand                                                                          1-----2-1
  ///     AnyPublisher<Int, Never>.create(.buffer(size: 1, whenFull: .dropNewest), body)  -1----24-|
  case buffer(size: Int, whenFull: Publishers.BufferingStrategy<Failure>)

  /// A value for which there is no demand is dropped.
  ///
  ///     emitter                                       -1-2-3-4-|
  ///     demand                                        1-----2-1
  ///     AnyPublisher<Int, Never>.create(.drop, body)  -1-----4-|
  case drop

  /// The last value is kept until there is demand, or until the next takes its place.
  ///
  ///     emitter                                         -1-2-3-4-|
  ///     demand                                          1-----2-1
  ///     AnyPublisher<Int, Never>.create(.latest, body)  -1----34-|
  case latest

  /// The policy of the buffer that does this.
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
    if size < 0 { fatalError("The size of a buffer can't be negative: give 0 to keep nothing, or .bufferAll.") }
    return BufferPolicy(size: size, asking: asking, whenFull: whenFull, onDrop: onDrop)
  }
}

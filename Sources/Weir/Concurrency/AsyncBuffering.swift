/// How values are buffered that a publisher sends while no task awaits them.
public enum AsyncBuffering: Sendable, Hashable {
  /// Buffers all values, with unlimited demand.
  case unbounded

  /// Buffers the oldest values, at most this many, and drops further ones; demand is unlimited.
  case oldest(Int)

  /// Buffers the latest values, at most this many, and drops earlier ones; demand is unlimited.
  case newest(Int)

  /// Buffers at most this many values, and requests only as many as the buffer has room for.
  ///
  /// So no value of a publisher that respects demand is dropped.
  case suspending(Int)

  /// The demand of the first request.
  var demand: Subscribers.Demand {
    switch self {
    case .unbounded, .oldest, .newest: .unlimited
    case .suspending(let room): .max(room)
    }
  }

  /// Stops the program if the buffer has no room.
  @usableFromInline
  func requireRoom() {
    switch self {
    case .unbounded: break
    case .oldest(let room), .newest(let room), .suspending(let room):
      require(room > 0, "values(buffering:) requires room for at least 1 value. Use `values` for no buffer.")
    }
  }
}

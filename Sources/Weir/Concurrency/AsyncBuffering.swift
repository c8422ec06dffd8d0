/// What becomes of the values that a publisher sends while no task waits for them.
public enum AsyncBuffering: Sendable, Hashable {
  /// All are kept; the publisher is asked for everything.
  case unbounded

  /// The first so many are kept, and others dropped while these wait; the publisher is asked for everything.
  case oldest(Int)

  /// The latest so many are kept, and earlier ones dropped; the publisher is asked for everything.
  case newest(Int)

  /// So many are kept, and the publisher is asked for no more than there is room for, so none is lost if it waits for
  /// demand.
  case suspending(Int)

  /// What is asked for at first.
  var demand: Subscribers.Demand {
    switch self {
    case .unbounded, .oldest, .newest: .unlimited
    case .suspending(let room): .max(room)
    }
  }

  /// Ends the program if nothing could be kept.
  @usableFromInline
  func requireRoom() {
    switch self {
    case .unbounded: break
    case .oldest(let room), .newest(let room), .suspending(let room):
      require(room > 0, "A buffer must have room for at least one value: use `values` to keep none.")
    }
  }
}

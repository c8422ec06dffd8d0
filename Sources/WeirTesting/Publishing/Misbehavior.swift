/// The rules of the contract that a ``TestPublisher`` breaks on purpose.
public struct Misbehavior: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates a set of the options with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Sends values without regard to demand.
  public static let moreThanAsked = Misbehavior(rawValue: 1 << 0)

  /// Delivers events after a completion, including a second completion.
  public static let afterCompletion = Misbehavior(rawValue: 1 << 1)

  /// Sends the subscription after the first event, which needs no demand.
  public static let beforeSubscription = Misbehavior(rawValue: 1 << 2)

  /// Sends no subscription, but delivers events.
  public static let withoutSubscription = Misbehavior(rawValue: 1 << 3)

  /// Sends a second subscription after the first, with its own record.
  public static let subscribesTwice = Misbehavior(rawValue: 1 << 4)

  /// Delivers each value twice, concurrently: on the sending thread and on another one.
  ///
  /// Both deliveries consume demand. On platforms without Dispatch, this option has no effect.
  public static let fromTwoThreads = Misbehavior(rawValue: 1 << 5)

  /// Records a cancellation, but ignores it.
  public static let ignoresCancel = Misbehavior(rawValue: 1 << 6)
}

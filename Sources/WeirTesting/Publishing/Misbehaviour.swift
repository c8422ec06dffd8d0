/// How a ``TestPublisher`` breaks the contract on purpose.
public struct Misbehaviour: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Makes a set of the options with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Values are sent whether they were asked for or not.
  public static let moreThanAsked = Misbehaviour(rawValue: 1 << 0)

  /// What is sent after a completion is delivered, a second completion too.
  public static let afterCompletion = Misbehaviour(rawValue: 1 << 1)

  /// The subscription comes after the first event, for which no demand is needed.
  public static let beforeSubscription = Misbehaviour(rawValue: 1 << 2)

  /// No subscription comes at all; what is sent is delivered nevertheless.
  public static let withoutSubscription = Misbehaviour(rawValue: 1 << 3)

  /// A second subscription comes after the first.
  public static let subscribesTwice = Misbehaviour(rawValue: 1 << 4)

  /// Each value is delivered twice, at the same time: on the thread that sends it and on another.
  ///
  /// Both count against the demand. Where there is no Dispatch this changes nothing.
  public static let fromTwoThreads = Misbehaviour(rawValue: 1 << 5)

  /// A cancel is written down, and ignored.
  public static let ignoresCancel = Misbehaviour(rawValue: 1 << 6)
}

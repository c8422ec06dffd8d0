import Weir

/// The allowed behavior of a verified object; each trait lifts the rules that forbid it.
public struct VerificationTraits: OptionSet, Hashable, Sendable {
  /// The traits as bits.
  public let rawValue: Int

  /// Creates a set of the traits with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// It has no state and forwards the upstream's own subscription, as `map` does.
  ///
  /// The upstream must hold back events that are too early or too late.
  public static let passesSubscriptionOn = VerificationTraits(rawValue: 1 << 0)

  /// It may complete before its upstream does, as `first()` does.
  public static let endsEarly = VerificationTraits(rawValue: 1 << 1)

  /// It may fail even if its upstream doesn't, as `tryMap` does.
  public static let failsByItself = VerificationTraits(rawValue: 1 << 2)

  /// It may handle the upstream's failure, as `catch` does.
  public static let recovers = VerificationTraits(rawValue: 1 << 3)

  /// It may continue after the upstream's completion, as `append` does.
  public static let outlivesUpstream = VerificationTraits(rawValue: 1 << 4)

  /// It buffers its own values until there is demand, and completes after them, as `collect` does.
  ///
  /// A publisher that drops its last values, as with `filter`, also needs demand for these before it completes. A subject
  /// may send its last values to a subscriber that comes after its completion.
  public static let holdsValues = VerificationTraits(rawValue: 1 << 5)

  /// It delivers a failure after the buffered values.
  public static let holdsFailure = VerificationTraits(rawValue: 1 << 6)

  /// It drops values that were not requested in time, as `debounce` does.
  public static let dropsValues = VerificationTraits(rawValue: 1 << 7)

  /// Its subscribers share one subscription to the upstream, as with `share()`.
  public static let isShared = VerificationTraits(rawValue: 1 << 8)

  /// It forwards events that precede the subscription.
  public static let passesEarlyEvents = VerificationTraits(rawValue: 1 << 9)

  /// It may receive demand without requesting from its upstream, for instance while it waits for another event.
  public static let waits = VerificationTraits(rawValue: 1 << 10)

  /// It supports one subscriber; a second one receives other events.
  public static let servesOne = VerificationTraits(rawValue: 1 << 11)

  /// It may deliver nested in a delivery, as `PassthroughSubject` does for a re-entrant send.
  public static let deliversNested = VerificationTraits(rawValue: 1 << 12)

  /// Its values depend on the time or on the time of requests, as with `flatMap` and `measureInterval`.
  public static let dependsOnTiming = VerificationTraits(rawValue: 1 << 13)

  /// It supports subscriptions only on the main actor, as a control's publisher does.
  public static let staysOnMainActor = VerificationTraits(rawValue: 1 << 14)

  /// It supports one sending thread at a time, as a property without a lock does.
  public static let isSentOnOneThread = VerificationTraits(rawValue: 1 << 15)

  /// It holds at most this number of values, even while other threads send during a call of the subscriber.
  ///
  /// Rule C18 counts values of type ``VerificationValue``.
  ///
  /// - Parameter count: The number of values, from 0 to 32,766.
  /// - Returns: The trait. A set has one bound.
  public static func holdsAtMost(_ count: Int) -> VerificationTraits {
    require(0..<0x7fff ~= count, "holdsAtMost(_:) requires a bound from 0 to 32,766.")
    return VerificationTraits(rawValue: (count + 1) << 16)
  }

  /// The bound that ``holdsAtMost(_:)`` sets.
  var bound: Int? {
    let number = rawValue >> 16 & 0x7fff
    return number == 0 ? nil : number - 1
  }
}

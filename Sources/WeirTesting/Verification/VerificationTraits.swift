import Weir

/// What something that is verified may do, besides passing everything on: it lifts the rules that say otherwise.
public struct VerificationTraits: OptionSet, Hashable, Sendable {
  /// The traits as bits.
  public let rawValue: Int

  /// Makes a set of the traits with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// It has no state and hands the upstream's own subscription on, as `map` does: what comes too late or too early is for
  /// the upstream to hold back.
  public static let passesSubscriptionOn = VerificationTraits(rawValue: 1 << 0)

  /// It may end before its upstream does, as `first()` does.
  public static let endsEarly = VerificationTraits(rawValue: 1 << 1)

  /// It may fail though its upstream doesn't, as `tryMap` does.
  public static let failsByItself = VerificationTraits(rawValue: 1 << 2)

  /// The upstream's failure need not be its own, as with `catch`.
  public static let recovers = VerificationTraits(rawValue: 1 << 3)

  /// The upstream's end need not be its own, as with `append`.
  public static let outlivesUpstream = VerificationTraits(rawValue: 1 << 4)

  /// It has values of its own to send, which wait for demand, and the end waits for them, as with `collect`.
  public static let holdsValues = VerificationTraits(rawValue: 1 << 5)

  /// The failure waits for values that wait for demand.
  public static let holdsFailure = VerificationTraits(rawValue: 1 << 6)

  /// It drops values that were not asked for in time, as `debounce` does.
  public static let dropsValues = VerificationTraits(rawValue: 1 << 7)

  /// Its subscribers share one subscription to the upstream, as with `share()`.
  public static let isShared = VerificationTraits(rawValue: 1 << 8)

  /// It passes on what comes before the subscription.
  public static let passesEarlyEvents = VerificationTraits(rawValue: 1 << 9)

  /// It may leave its upstream unasked though it was asked, as when it waits for something else first.
  public static let waits = VerificationTraits(rawValue: 1 << 10)

  /// It has one subscriber at the most: a second one gets something else.
  public static let servesOne = VerificationTraits(rawValue: 1 << 11)

  /// It may deliver from inside a delivery, as a subject does that is sent to from there.
  public static let deliversNested = VerificationTraits(rawValue: 1 << 12)

  /// What it sends depends on when it is asked, or on the time, as with `flatMap` and `measureInterval`.
  public static let dependsOnTiming = VerificationTraits(rawValue: 1 << 13)

  /// It is subscribed to on the main actor alone, as a control's publisher is.
  public static let staysOnMainActor = VerificationTraits(rawValue: 1 << 14)

  /// It is sent to on one thread at a time, as a property without a lock is.
  public static let isSentOnOneThread = VerificationTraits(rawValue: 1 << 15)

  /// It keeps at most this number of values, whatever other threads send while one is inside the subscriber.
  ///
  /// Rule C18 counts values of type ``VerificationValue``.
  ///
  /// - Parameter count: the number of values, from 0 to 32,766.
  /// - Returns: the trait. A set has one bound.
  public static func holdsAtMost(_ count: Int) -> VerificationTraits {
    require(0..<0x7fff ~= count, "The bound of holdsAtMost(_:) has to be from 0 to 32,766.")
    return VerificationTraits(rawValue: (count + 1) << 16)
  }

  /// The bound that ``holdsAtMost(_:)`` names.
  var bound: Int? {
    let number = rawValue >> 16 & 0x7fff
    return number == 0 ? nil : number - 1
  }
}

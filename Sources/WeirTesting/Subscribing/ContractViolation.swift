/// A rule of the contract between publishers and subscribers that an event broke.
public struct ContractViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What every publisher keeps to.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The values never exceed the demand.
    case demand = "Values never exceed the demand: what was requested and what values brought back."

    /// The subscription comes before anything else.
    case subscriptionFirst = "A subscriber gets its subscription before any value and before the end."

    /// There is only one subscription.
    case oneSubscription = "A subscriber gets exactly one subscription."

    /// Nothing follows the end.
    case nothingAfterCompletion = "Nothing follows a completion, and there is one at the most."

    /// Nothing follows a cancel, on the thread that cancelled.
    case nothingAfterCancel = "Nothing is delivered after cancel() has returned on the thread that delivers."

    /// No two threads are inside a subscriber at once.
    case serial = "Delivery is serial: no two threads are inside a subscriber at once."

    /// No delivery comes inside another.
    case notNested = "Delivery is serial: no delivery comes inside another on the same thread."
  }

  /// The rule that was broken.
  public let rule: Rule

  /// The event that broke it, as text.
  public let event: String

  /// When it came.
  public let time: VirtualTime

  /// Which of the recorded events it is, the first being 0.
  public let index: Int

  /// The account of the demand at that moment.
  public let ledger: DemandLedger

  /// The event, the rule, and the account where it matters.
  public var description: String {
    "\(event) at \(time) broke a rule. \(rule.rawValue)" + (rule == .demand ? " The account: \(ledger)." : "")
  }
}

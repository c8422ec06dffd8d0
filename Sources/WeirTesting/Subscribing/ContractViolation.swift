/// A violation of a rule of the contract between publishers and subscribers.
public struct ContractViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rules for every publisher.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The number of values never exceeds the demand.
    case demand = "Values never exceed the demand that the subscriber has requested and returned."

    /// The subscription precedes all other events.
    case subscriptionFirst = "A subscriber receives its subscription before any value and before the completion."

    /// There is only one subscription.
    case oneSubscription = "A subscriber receives exactly one subscription."

    /// No event follows a completion.
    case nothingAfterCompletion = "There is at most one completion, and no event follows it."

    /// On the thread that cancelled, no event follows a cancellation.
    case nothingAfterCancel = "Nothing is delivered after cancel() has returned on the delivering thread."

    /// No two threads call a subscriber concurrently.
    case serial = "Delivery is serial: no two threads call a subscriber at the same time."

    /// No delivery is nested in another.
    case notNested = "Delivery is serial: no delivery is nested in another on the same thread."
  }

  /// The rule that was broken.
  public let rule: Rule

  /// The event that broke the rule, as text.
  public let event: String

  /// The time of the event.
  public let time: VirtualTime

  /// The index of the event among the recorded ones.
  public let index: Int

  /// The demand at that time.
  public let ledger: DemandLedger

  /// The event, the rule, and the demand where it matters.
  public var description: String {
    "\(event) at \(time) broke a rule: \(rule.rawValue)" + (rule == .demand ? " Demand: \(ledger)." : "")
  }
}

public import Weir

/// The account of a subscriber's demand: requests and returned demand are its credits, values its debits.
///
///     requested 3, returned 1, received 2: outstanding 2
public struct DemandLedger: Hashable, Sendable, CustomStringConvertible {
  /// All that was requested of the subscription.
  public private(set) var requested = Subscribers.Demand.none

  /// All that values brought back.
  public private(set) var returned = Subscribers.Demand.none

  /// How many values came.
  public private(set) var received = 0

  /// How many of them nobody had asked for when they came.
  public private(set) var unauthorised = 0

  /// What may still come.
  public private(set) var outstanding = Subscribers.Demand.none

  /// An empty account.
  public init() {}

  mutating func request(_ demand: Subscribers.Demand) {
    requested += demand
    outstanding += demand
  }

  mutating func `return`(_ demand: Subscribers.Demand) {
    returned += demand
    outstanding += demand
  }

  /// False if there was no demand.
  mutating func receive() -> Bool {
    received += 1
    if outstanding == .none {
      unauthorised += 1
      return false
    }
    outstanding -= 1
    return true
  }

  /// The account in a line.
  public var description: String {
    "requested \(requested.amount), returned \(returned.amount), received \(received)"
      + (unauthorised > 0 ? " (\(unauthorised) of them without demand)" : "") + ": outstanding \(outstanding.amount)"
  }
}

extension Subscribers.Demand {
  /// The count, or the sign of infinity.
  var amount: String { max.map(String.init) ?? "∞" }
}

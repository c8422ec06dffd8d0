public import Weir

/// An account of a subscriber's demand: requests and returned demand are credits, values are debits.
///
///     requested 3, returned 1, received 2: outstanding 2
public struct DemandLedger: Hashable, Sendable, CustomStringConvertible {
  /// The total requested demand.
  public private(set) var requested = Subscribers.Demand.none

  /// The total demand that the subscriber returned for values.
  public private(set) var returned = Subscribers.Demand.none

  /// The number of received values.
  public private(set) var received = 0

  /// The number of values that arrived without demand.
  public private(set) var unauthorized = 0

  /// The outstanding demand.
  public private(set) var outstanding = Subscribers.Demand.none

  /// Creates an empty account.
  public init() {}

  mutating func request(_ demand: Subscribers.Demand) {
    requested += demand
    outstanding += demand
  }

  mutating func `return`(_ demand: Subscribers.Demand) {
    returned += demand
    outstanding += demand
  }

  /// Returns `false` if there was no demand.
  mutating func receive() -> Bool {
    received += 1
    if outstanding == .none {
      unauthorized += 1
      return false
    }
    outstanding -= 1
    return true
  }

  /// The account on one line.
  public var description: String {
    "requested \(requested.amount), returned \(returned.amount), received \(received)"
      + (unauthorized > 0 ? " (\(unauthorized) of them without demand)" : "") + ": outstanding \(outstanding.amount)"
  }
}

extension Subscribers.Demand {
  /// The count, or the infinity sign.
  var amount: String { max.map(String.init) ?? "∞" }
}

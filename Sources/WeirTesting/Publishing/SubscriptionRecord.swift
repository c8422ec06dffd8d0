public import Weir

/// What became of one subscription to a ``TestPublisher``, as the publisher saw it.
public struct SubscriptionRecord: Hashable, Sendable, CustomStringConvertible {
  /// What happened to the subscription.
  public enum Event: Hashable, Sendable, CustomStringConvertible {
    /// The subscriber was attached.
    case subscribed

    /// It requested so many values.
    case requested(Subscribers.Demand)

    /// A value that was delivered to it brought so much demand back.
    case returned(Subscribers.Demand)

    /// It cancelled.
    case cancelled

    /// It was told the end.
    case completed

    /// The event as it is written in code.
    public var description: String {
      switch self {
      case .subscribed: "subscribed"
      case .requested(let demand): "requested(\(demand))"
      case .returned(let demand): "returned(\(demand))"
      case .cancelled: "cancelled"
      case .completed: "completed"
      }
    }
  }

  /// An event and when it happened.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The time of the publisher's scheduler; zero without one.
    public let time: VirtualTime

    /// What happened.
    public let event: Event

    /// The event and the time.
    public var description: String { "\(event) at \(time)" }
  }

  /// All that happened, in order.
  public internal(set) var entries: [Entry] = []

  /// What happened, without the times.
  public var events: [Event] { entries.map(\.event) }

  /// The demands that were requested, one by one.
  public var requests: [Subscribers.Demand] {
    events.compactMap { if case .requested(let demand) = $0 { demand } else { nil } }
  }

  /// All demand together, requested and returned.
  public var demand: Subscribers.Demand {
    events.reduce(.none) { sum, event in
      switch event {
      case .requested(let demand), .returned(let demand): sum + demand
      case .subscribed, .cancelled, .completed: sum
      }
    }
  }

  /// How often the subscriber cancelled.
  public var cancelCount: Int { events.count { $0 == .cancelled } }

  /// Whether the subscriber cancelled.
  public var isCancelled: Bool { cancelCount > 0 }

  /// The events in a line.
  public var description: String { entries.map(\.description).joined(separator: ", ") }
}

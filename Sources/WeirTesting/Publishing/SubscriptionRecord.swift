public import Weir

/// The record of one subscription to a ``TestPublisher``.
public struct SubscriptionRecord: Hashable, Sendable, CustomStringConvertible {
  /// An event of the subscription.
  public enum Event: Hashable, Sendable, CustomStringConvertible {
    /// The subscriber was attached.
    case subscribed

    /// It requested this many values.
    case requested(Subscribers.Demand)

    /// It returned this demand from the delivery of a value.
    case returned(Subscribers.Demand)

    /// It cancelled.
    case cancelled

    /// It received the completion.
    case completed

    /// The event in the notation of code.
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

  /// An event and its time.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The time of the publisher's scheduler; zero without a scheduler.
    public let time: VirtualTime

    /// The event.
    public let event: Event

    /// The event and the time.
    public var description: String { "\(event) at \(time)" }
  }

  /// All events, in order.
  public internal(set) var entries: [Entry] = []

  /// The events without their times.
  public var events: [Event] { entries.map(\.event) }

  /// The requested demands, in order.
  public var requests: [Subscribers.Demand] {
    events.compactMap { if case .requested(let demand) = $0 { demand } else { nil } }
  }

  /// The total demand, requested and returned.
  public var demand: Subscribers.Demand {
    events.reduce(.none) { sum, event in
      switch event {
      case .requested(let demand), .returned(let demand): sum + demand
      case .subscribed, .cancelled, .completed: sum
      }
    }
  }

  /// The number of times that the subscriber cancelled.
  public var cancelCount: Int { events.count { $0 == .cancelled } }

  /// Whether the subscriber cancelled.
  public var isCancelled: Bool { cancelCount > 0 }

  /// The events on one line.
  public var description: String { entries.map(\.description).joined(separator: ", ") }
}

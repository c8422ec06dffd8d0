public import Weir

/// What happened to a subscriber, or what it did.
public enum TestEvent<Output, Failure: Error> {
  /// It got a subscription that describes itself so.
  case subscription(String)

  /// It got a value.
  case value(Output)

  /// It was told the end.
  case completion(Subscribers.Completion<Failure>)

  /// It asked for so many values more.
  case requested(Subscribers.Demand)

  /// A value brought so much demand back.
  case returned(Subscribers.Demand)

  /// It cancelled.
  case cancelled

  /// It was told the normal end.
  public static var finished: TestEvent { .completion(.finished) }

  /// It was told that the publisher failed.
  public static func failure(_ error: Failure) -> TestEvent { .completion(.failure(error)) }

  /// Whether a publisher sent it, rather than the subscriber.
  var isReceived: Bool {
    switch self {
    case .subscription, .value, .completion: true
    case .requested, .returned, .cancelled: false
    }
  }
}

extension TestEvent: Equatable where Output: Equatable, Failure: Equatable {}
extension TestEvent: Hashable where Output: Hashable, Failure: Hashable {}
extension TestEvent: Sendable where Output: Sendable {}

extension TestEvent: CustomStringConvertible {
  /// The event as it is written in code, such as `value(3)`, or `finished`.
  public var description: String {
    switch self {
    case .subscription(let name): "subscription(\(name))"
    case .value(let value): "value(\(String(reflecting: value)))"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure(\(error))"
    case .requested(let demand): "requested(\(demand))"
    case .returned(let demand): "returned(\(demand))"
    case .cancelled: "cancelled"
    }
  }
}

/// An event and when it happened.
public struct Recorded<Output, Failure: Error>: CustomStringConvertible {
  /// The time of the clock; zero without a clock.
  public let time: VirtualTime

  /// What happened.
  public let event: TestEvent<Output, Failure>

  /// Makes a record.
  public init(_ time: VirtualTime, _ event: TestEvent<Output, Failure>) {
    self.time = time
    self.event = event
  }

  /// The event and the time, such as `value(3) at 20 ms`.
  public var description: String { "\(event) at \(time)" }
}

extension Recorded: Equatable where Output: Equatable, Failure: Equatable {}
extension Recorded: Hashable where Output: Hashable, Failure: Hashable {}
extension Recorded: Sendable where Output: Sendable {}

public import Weir

/// An event that a subscriber received, or an action of the subscriber.
public enum TestEvent<Output, Failure: Error> {
  /// It received a subscription with this description.
  case subscription(String)

  /// It received a value.
  case value(Output)

  /// It received a completion.
  case completion(Subscribers.Completion<Failure>)

  /// It requested this many values.
  case requested(Subscribers.Demand)

  /// It returned this demand for a value.
  case returned(Subscribers.Demand)

  /// It cancelled.
  case cancelled

  /// It received a finish.
  public static var finished: TestEvent { .completion(.finished) }

  /// It received a failure.
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
  /// The event in the notation of code, such as `value(3)` or `finished`.
  public var description: String {
    assertNoLockIsHeld()
    return switch self {
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

/// An event and its time.
public struct Recorded<Output, Failure: Error>: CustomStringConvertible {
  /// The time of the clock; zero without a clock.
  public let time: VirtualTime

  /// The event.
  public let event: TestEvent<Output, Failure>

  /// Creates a record.
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

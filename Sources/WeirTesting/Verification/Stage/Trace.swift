import Weir

/// What happened in one run, in order.
final class Trace {
  enum What: Equatable {
    /// What the subscriber was told; a delivery lasts until it is `left`.
    case subscription(String)
    case value(String)
    case completion(String, isFailure: Bool)
    case left
    /// What the subscriber did.
    case asks(Subscribers.Demand)
    case returns(Subscribers.Demand)
    case cancels
    case cancelReturned
    /// What the upstream did, through its subscription of that number.
    case sendsSubscription(Int)
    case sendsValue(Int)
    case sendsCompletion(Int, isFailure: Bool)
    case isAnswered(Int, Subscribers.Demand)
    /// What the upstream was asked for.
    case isAsked(Int, Subscribers.Demand)
    case isCancelled(Int)
  }

  struct Event: Equatable {
    /// Which step led to it; 0 is the subscribing.
    let step: Int
    let what: What
  }

  private(set) var events: [Event] = []
  var step = 0

  func note(_ what: What) {
    events.append(Event(step: step, what: what))
  }
}

extension Trace.What {
  /// The event as a report shows it; `nil` if it says nothing that the rest doesn't.
  var text: String? {
    switch self {
    case .subscription(let name): "subscription(\(name))"
    case .value(let value): "value(\(value))"
    case .completion(let text, _): text
    case .asks(let demand): "requests \(demand.text)"
    case .returns(let demand): demand > .none ? "returns \(demand.text)" : nil
    case .cancels: "cancels"
    case .isAsked(let number, let demand): "asks the \(Self.upstream(number)) for \(demand.text)"
    case .isCancelled(let number): "cancels the \(Self.upstream(number))"
    case .isAnswered(_, let demand): demand > .none ? "brings \(demand.text) back" : nil
    case .left, .cancelReturned, .sendsSubscription, .sendsValue, .sendsCompletion: nil
    }
  }

  private static func upstream(_ number: Int) -> String {
    number == 0 ? "upstream" : "upstream through subscription \(number + 1)"
  }

  /// Whether it is a value or the end.
  var isDelivery: Bool {
    switch self {
    case .value, .completion: true
    default: false
    }
  }

  var isCompletion: Bool {
    if case .completion = self { true } else { false }
  }
}

extension Subscribers.Demand {
  /// The count, or the word.
  var text: String { max.map(String.init) ?? "unlimited" }
}

import Weir

/// The events of one run, in order.
final class Trace {
  enum What: Equatable {
    /// Events that the subscriber received.
    ///
    /// A delivery lasts until `left`.
    case subscription(String)
    case value(String)
    case completion(String, isFailure: Bool)
    case left
    /// Actions of the subscriber.
    case asks(Subscribers.Demand)
    case returns(Subscribers.Demand)
    case cancels
    case cancelReturned
    /// Events that the upstream sent, through the subscription with this number.
    case sendsSubscription(Int)
    case sendsValue(Int)
    case sendsCompletion(Int, isFailure: Bool)
    case isAnswered(Int, Subscribers.Demand)
    /// Requests that the upstream received.
    case isAsked(Int, Subscribers.Demand)
    case isCancelled(Int)
  }

  struct Event: Equatable {
    /// The step that caused it; 0 is the subscription.
    let step: Int
    let what: What
  }

  /// A kind of event that a subscriber receives.
  enum Arrival {
    case subscription, value, completion

    /// The time of the event, as a report shows it.
    ///
    /// That of a value is the usual one.
    var text: String {
      switch self {
      case .subscription: " during the subscription"
      case .value: ""
      case .completion: " during the completion"
      }
    }
  }

  /// How the scripted upstream's own subscription shows itself.
  static let upstreamSubscription = "Upstream"

  /// Locked, because an operator that blocks a rule's other thread continues on both.
  private let noted = Locked<[Event]>([])

  var events: [Event] { noted.withLock { $0 } }

  var step = 0

  /// Whether a rule calls the tested object on another thread, and waits for it meanwhile.
  var isCalledElsewhere: Bool

  /// Waits for the rule's other thread, if the operator has blocked it; the upstream calls it when a delivery has
  /// returned.
  var waitForOtherThread: () -> Void = {}

  /// A closure that runs while the subscriber receives an event.
  var onArrival: (Arrival, any SubscriberHandle) -> Void = { _, _ in }

  private let thread = currentThread()

  init(isCalledElsewhere: Bool = false) {
    self.isCalledElsewhere = isCalledElsewhere
  }

  func note(_ what: What) {
    if !isCalledElsewhere, currentThread() != thread {
      fatalError(
        """
        The verified object calls its upstream or its subscriber on a thread of its own. Rules run one step after the other, \
        in virtual time. Create an operator or a publisher with the scheduler that the closure receives: \
        `OperatorVerification { upstream, scheduler in … }`, `PublisherVerification { scheduler in … }`. A subscriber or a \
        subject must act on the thread that calls it.
        """)
    }
    let event = Event(step: step, what: what)
    noted.withLock { $0.append(event) }
  }
}

extension Trace.What {
  /// The event in the words of a report; `nil` if the rest already implies it.
  var text: String? {
    switch self {
    case .subscription(let name): "subscription(\(name))"
    case .value(let value): "value(\(value))"
    case .completion(let text, _): text
    case .asks(let demand): "requests \(demand.text)"
    case .returns(let demand): demand > .none ? "returns \(demand.text)" : nil
    case .cancels: "cancels"
    case .isAsked(let number, let demand): "requests \(demand.text) from the \(Self.upstream(number))"
    case .isCancelled(let number): "cancels the \(Self.upstream(number))"
    case .isAnswered(_, let demand): demand > .none ? "returns \(demand.text) to the upstream" : nil
    case .left, .cancelReturned, .sendsSubscription, .sendsValue, .sendsCompletion: nil
    }
  }

  private static func upstream(_ number: Int) -> String {
    number == 0 ? "upstream" : "upstream through subscription \(number + 1)"
  }

  /// Whether it is a value or a completion.
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

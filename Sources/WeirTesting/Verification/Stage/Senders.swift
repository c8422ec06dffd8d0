#if canImport(Dispatch)
import Dispatch
import Weir

/// What rules of several threads send with.
protocol ThreadSender: AnyObject, Sendable {
  /// Sends the value of that number; false if there is no demand for it.
  @discardableResult
  func send(_ number: Int, countedBy live: LiveValues?) -> Bool
  func complete(isFailure: Bool)
  var isCancelled: Bool { get }
}

/// The values that a sender sends.
///
/// Safety: the values never change. (`VerifyTests`)
struct SentValues<Output>: @unchecked Sendable {
  let values: [Output]

  /// The value, counted while it is alive if its type can be.
  func value(_ number: Int, countedBy live: LiveValues?) -> Output {
    let value = values[number % values.count]
    if let live, Output.self == VerificationValue.self,
      let counted = VerificationValue(number, countedBy: live) as? Output
    {
      return counted
    }
    return fresh(value)
  }
}

/// Sends through a subject.
///
/// Safety: any thread may send to a subject. (`VerifyTests`)
final class SubjectThreadSender<Tested: Subject>: ThreadSender, @unchecked Sendable {
  // A subject may be sent to on any thread.
  private let subject: Tested
  private let values: SentValues<Tested.Output>
  private let failure: Tested.Failure?

  init(_ subject: Tested, values: [Tested.Output], failure: Tested.Failure?) {
    self.subject = subject
    self.values = SentValues(values: values)
    self.failure = failure
  }

  var isCancelled: Bool { false }

  func send(_ number: Int, countedBy live: LiveValues?) -> Bool {
    subject.send(values.value(number, countedBy: live))
    return true
  }

  func complete(isFailure: Bool) {
    if isFailure, let failure {
      subject.send(completion: .failure(failure))
    } else {
      subject.send(completion: .finished)
    }
  }
}

/// A publisher of a user's that threads send through: it keeps the rules only as far as they do.
///
/// Safety: what changes is behind its lock. (`VerifyTests`)
final class FreeUpstream<Output>: Publisher, ThreadSender, @unchecked Sendable {
  typealias Failure = UpstreamFailure

  private let values: SentValues<Output>
  private let manner: FreeManner
  private let latest = Shared<Ticket?>(nil)
  private let subscriptionCount = Shared(0)

  init(values: [Output], manner: FreeManner) {
    self.values = SentValues(values: values)
    self.manner = manner
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    let count = subscriptionCount.withLock { count in
      count += 1
      return count
    }
    let ticket = Ticket(AnySubscriber(subscriber), keepsRules: manner.keepsRules)
    latest.withLock { $0 = ticket }
    if let successors = Successors.current, count > 1 {
      // The second one sends by itself, on another thread.
      ticket.successors = (successors, { [values] in [values.value(0, countedBy: nil)] })
    }
    if manner != .withoutSubscription { subscriber.receive(subscription: ticket) }
  }

  var isCancelled: Bool { latest.withLock { $0 }?.isOver ?? false }

  var demand: Subscribers.Demand { latest.withLock { $0 }?.demand ?? .none }

  func send(_ number: Int, countedBy live: LiveValues?) -> Bool {
    latest.withLock { $0 }?.send(values.value(number, countedBy: live)) ?? false
  }

  func complete(isFailure: Bool) {
    latest.withLock { $0 }?.complete(isFailure ? .failure(UpstreamFailure()) : .finished)
  }

  /// Sends the subscriber another subscription.
  func subscribeAgain() {
    guard let ticket = latest.withLock({ $0 }), let subscriber = ticket.party else { return }
    subscriber.receive(subscription: Ticket(subscriber, keepsRules: false))
  }

  typealias Ticket = FreeSubscription<Output>
}

/// How a free upstream behaves.
enum FreeManner {
  case good
  /// It sends without demand and after its completion.
  case rude
  case withoutSubscription

  var keepsRules: Bool { self == .good }
}

/// The subscription of a publisher of a user's, which threads send through.
///
/// Safety: what changes is behind its lock. (`VerifyTests`)
final class FreeSubscription<Output>: Subscription, NestedEnd, @unchecked Sendable {
  private struct State {
    var subscriber: AnySubscriber<Output, UpstreamFailure>?
    var demand = Subscribers.Demand.none
    var isOver = false
    var hasStarted = false
  }

  private let state: Shared<State>
  private let keepsRules: Bool
  /// Where it sends by itself, and what.
  var successors: (Successors, () -> [Output])?

  init(_ subscriber: AnySubscriber<Output, UpstreamFailure>, keepsRules: Bool) {
    state = Shared(State(subscriber: subscriber))
    self.keepsRules = keepsRules
  }

  var isOver: Bool { state.withLock { $0.isOver } }
  var demand: Subscribers.Demand { state.withLock { $0.demand } }
  var party: AnySubscriber<Output, UpstreamFailure>? { state.withLock { $0.subscriber } }

  @discardableResult
  func send(_ value: Output) -> Bool {
    let subscriber = state.withLock { state -> AnySubscriber<Output, UpstreamFailure>? in
      if keepsRules, state.isOver || state.demand == .none { return nil }
      if state.demand > .none { state.demand -= 1 }
      return state.subscriber
    }
    guard let subscriber else { return false }
    let before = Successors.delivering
    let more = Successors.$delivering.withValue(self) { subscriber.receive(value) }
    withExtendedLifetime(before) {}
    state.withLock { $0.demand += more }
    return true
  }

  func complete(_ completion: Subscribers.Completion<UpstreamFailure>) {
    let subscriber = state.withLock { state -> AnySubscriber<Output, UpstreamFailure>? in
      if keepsRules, state.isOver { return nil }
      state.isOver = true
      return keepsRules ? state.subscriber.take() : state.subscriber
    }
    subscriber?.receive(completion: completion)
  }

  func end(isFailure: Bool) { complete(isFailure ? .failure(UpstreamFailure()) : .finished) }

  func request(_ demand: Subscribers.Demand) {
    let starts = state.withLock { state in
      state.demand += demand
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    guard starts, let (successors, values) = successors else { return }
    successors.helpers.run { [self] in
      for value in values() { send(value) }
      complete(.finished)
    }
  }

  func cancel() {
    let subscriber = state.withLock { state -> AnySubscriber<Output, UpstreamFailure>? in
      state.isOver = true
      return keepsRules ? state.subscriber.take() : nil
    }
    withExtendedLifetime(subscriber) {}
  }
}

/// A subscription that can be completed from inside its own delivery.
protocol NestedEnd: AnyObject, Sendable {
  func end(isFailure: Bool)
}

/// The publishers that follow one another in rule C20.
final class Successors: Sendable {
  @TaskLocal static var current: Successors?
  /// The subscription that delivers on this thread.
  @TaskLocal static var delivering: (any NestedEnd)?

  let helpers = Helpers()
}
#endif

import Weir

// Safety: its state is behind locks, and it never changes the values. (`NestedRuleTests`)
/// A user's publisher through which several threads send.
///
/// It respects demand, and doesn't synchronize the threads.
final class ThreadedUpstream<Output>: Publisher, ThreadSender, @unchecked Sendable {
  typealias Failure = UpstreamFailure

  private let values: [Output]
  private let state = Shared((latest: ThreadedSubscription<Output>?.none, sentCount: 0))

  init(values: [Output]) {
    self.values = values
  }

  /// The rule sends through the first publisher of a succession.
  ///
  /// Later ones send by themselves.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    let start = Succession.current?.join()
    let subscription = ThreadedSubscription(
      AnySubscriber(subscriber), sending: start == nil ? nil : values.prefix(1).map(fresh))
    subscription.start = start
    state.withLock { $0.latest = subscription }
    subscriber.receive(subscription: subscription)
  }

  var isDelivering: Bool { state.withLock { $0.latest }?.isDelivering ?? false }

  func sendNext() -> Bool {
    let (latest, number) = state.withLock { state in
      state.sentCount += 1
      return (state.latest, state.sentCount - 1)
    }
    return latest?.send(fresh(values[number % values.count])) ?? false
  }

  func complete(isFailure: Bool) { state.withLock { $0.latest }?.complete(isFailure: isFailure) }
}

/// The sender of a multithreaded rule.
protocol ThreadSender: AnyObject, Sendable {
  /// Whether a delivery is in flight.
  var isDelivering: Bool { get }

  /// Sends the next value.
  ///
  /// Returns `false` if there is no demand for it.
  func sendNext() -> Bool
  func complete(isFailure: Bool)
}

// Safety: its state is behind its lock, except `start`, which is set before another thread has access.
// (`NestedRuleTests`)
/// The subscription of a user's publisher, through which any thread may send.
final class ThreadedSubscription<Output>: Subscription, CompletableSubscription, @unchecked Sendable {
  private struct State {
    var subscriber: AnySubscriber<Output, UpstreamFailure>?
    var demand = Subscribers.Demand.none
    var deliveryCount = 0
    /// The values that it sends by itself, if it does.
    var own: [Output]?
    var isSendingOwn = false
  }

  private let state: Shared<State>
  /// Runs the sending by itself.
  ///
  /// Without it, the requesting thread sends.
  var start: Succession.Start?

  init(_ subscriber: AnySubscriber<Output, UpstreamFailure>, sending own: [Output]?) {
    state = Shared(State(subscriber: subscriber, own: own))
  }

  var isDelivering: Bool { state.withLock { $0.deliveryCount > 0 } }

  @discardableResult
  func send(_ value: Output) -> Bool {
    let subscriber = state.withLock { state -> AnySubscriber<Output, UpstreamFailure>? in
      guard state.demand > .none, let subscriber = state.subscriber else { return nil }
      state.demand -= 1
      state.deliveryCount += 1
      return subscriber
    }
    guard let subscriber else { return false }
    let more = Succession.$delivering.withValue(self) { subscriber.receive(value) }
    state.withLock { state in
      state.demand += more
      state.deliveryCount -= 1
    }
    return true
  }

  func complete(isFailure: Bool) {
    state.withLock { $0.subscriber.take() }?.receive(completion: isFailure ? .failure(UpstreamFailure()) : .finished)
  }

  func request(_ demand: Subscribers.Demand) {
    let begins = state.withLock { state in
      state.demand += demand
      if state.own == nil || state.isSendingOwn { return false }
      state.isSendingOwn = true
      return true
    }
    if !begins { return }
    if let start { start { self.sendOwn() } } else { sendOwn() }
  }

  private func sendOwn() {
    while let value = state.withLock({ state -> Output? in
      let mustPause = state.demand == .none || state.subscriber == nil || state.own?.isEmpty != false
      state.isSendingOwn = !mustPause
      return mustPause ? nil : state.own?.removeFirst()
    }) { send(value) }
    if state.withLock({ $0.own?.isEmpty == true }) { complete(isFailure: false) }
  }

  func cancel() {
    let subscriber = state.withLock { $0.subscriber.take() }
    withExtendedLifetime(subscriber) {}
  }
}

/// A subscription that can be completed during its own delivery.
protocol CompletableSubscription: AnyObject, Sendable {
  func complete(isFailure: Bool)
}

/// The publishers that an operator attaches one after the other in rule C20.
final class Succession: Sendable {
  typealias Start = (@escaping () -> Void) -> Void

  @TaskLocal static var current: Succession?

  /// The subscription that delivers on this thread.
  @TaskLocal static var delivering: (any CompletableSubscription)?

  private let isBegun = Shared(false)
  private let startNext: @Sendable (@escaping () -> Void) -> Void

  /// - Parameter start: Runs the sending of all publishers but the first.
  init(_ start: @escaping @Sendable (@escaping () -> Void) -> Void) {
    startNext = start
  }

  /// The closure that runs the next publisher's sending; `nil` for the first one.
  func join() -> Start? {
    let isFirst = isBegun.withLock { isBegun in
      defer { isBegun = true }
      return !isBegun
    }
    if isFirst { return nil }
    return startNext
  }
}

/// A publisher that the library treats as one of its own, so that it doesn't guard the operator.
struct DirectUpstream<Upstream: Publisher>: _DirectPublisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    upstream.receive(subscriber: Straight(downstream: downstream))
  }
}

/// Forwards all events unchanged.
private struct Straight<Input, Failure: Error>: Subscriber {
  let downstream: Downstream<Input, Failure>
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { downstream.begin(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { downstream.next(input) }

  func receive(completion: Subscribers.Completion<Failure>) { downstream.end(completion) }
}

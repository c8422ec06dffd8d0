import Weir

/// A call on a subscription.
enum SubscriptionEvent: Equatable {
  case requested(Subscribers.Demand)
  case cancelled
}

/// A subscription that records its calls on any thread.
///
/// A cancellation may arrive during a request.
final class ManualSubscription: Subscription, CustomStringConvertible {
  private let log = Locked<[SubscriptionEvent]>([])
  var events: [SubscriptionEvent] { log.withLock { $0 } }
  var onRequest: (Subscribers.Demand) -> Void = { _ in }
  var onCancel: () -> Void = {}

  deinit { userCode("the deinit of a subscription") }

  private let identifier = CombineIdentifier()

  var combineIdentifier: CombineIdentifier {
    lockCheck("the identifier of a subscription")
    return identifier
  }

  var description: String {
    userCode("the description of a subscription")
    return "Manual"
  }

  var isCancelled: Bool { events.contains(.cancelled) }

  func request(_ demand: Subscribers.Demand) {
    userCode("request(_:)")
    log.withLock { $0.append(.requested(demand)) }
    onRequest(demand)
  }

  func cancel() {
    userCode("cancel()")
    log.withLock { $0.append(.cancelled) }
    onCancel()
  }
}

/// A publisher under full control of the test, which can ignore demand and every other rule.
///
/// Each subscriber receives its own ``ManualSubscription``, unless `subscribes` is false.
final class ManualPublisher<Output, Failure: Error>: Publisher {
  private(set) var subscriptions: [ManualSubscription] = []
  private(set) var subscribers: [AnySubscriber<Output, Failure>] = []
  private let subscribes: Bool

  /// A closure that runs before each subscription is sent to the subscriber with that index.
  var onSubscribing: (ManualSubscription, Int) -> Void = { _, _ in }

  init(subscribing: Bool = true) {
    subscribes = subscribing
  }

  /// The calls on the first subscription.
  var events: [SubscriptionEvent] { subscriptions.first?.events ?? [] }

  var isCancelledOnce: Bool { events.filter { $0 == .cancelled }.count == 1 }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    userCode("receive(subscriber:)")
    let erased = AnySubscriber(subscriber)
    subscribers.append(erased)
    if subscribes { sendSubscription(to: subscribers.count - 1) }
  }

  /// Sends a subscription to a subscriber, also if it already has one.
  @discardableResult
  func sendSubscription(to index: Int = 0) -> ManualSubscription {
    let subscription = ManualSubscription()
    subscriptions.append(subscription)
    onSubscribing(subscription, index)
    subscribers[index].receive(subscription: subscription)
    return subscription
  }

  /// Sends a value to one subscriber; returns the subscriber's demand.
  @discardableResult
  func send(_ value: Output, to index: Int = 0) -> Subscribers.Demand {
    subscribers[index].receive(value)
  }

  func send(completion: Subscribers.Completion<Failure>, to index: Int = 0) {
    subscribers[index].receive(completion: completion)
  }

  /// Releases the subscribers, as a publisher does at a completion or a cancellation.
  func releaseSubscribers() {
    subscribers = []
  }
}

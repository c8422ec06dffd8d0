import Weir

/// The actions of a harness on the upstream of the tested object, or on a subject's sender.
protocol UpstreamHandle: AnyObject {
  /// The value that it would send next.
  var nextValue: String { get }
  func allows(_ step: Step) -> Bool
  func perform(_ step: Step)
  /// Releases its subscribers, also those that have neither cancelled nor received a completion.
  func releaseSubscribers()
  /// Releases its subscriptions, which its subscribers may retain.
  func releaseSubscriptions()
}

/// An upstream that records requests, and sends the events of the script.
final class ScriptedUpstream<Output>: Publisher, UpstreamHandle {
  typealias Failure = UpstreamFailure

  private let values: [Output]
  private let conduct: UpstreamBehavior
  private let trace: Trace
  /// All subscriptions, of all subscribers.
  private var subscriptions: [UpstreamSubscription] = []
  private var subscriber: AnySubscriber<Output, UpstreamFailure>?
  private var sentCount = 0

  init(values: [Output], conduct: UpstreamBehavior, trace: Trace) {
    self.values = values
    self.conduct = conduct
    self.trace = trace
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    self.subscriber = AnySubscriber(subscriber)
    Attachments.note(subscriber, as: .subscriber)
    if conduct != .early { sendSubscription() }
    // A conforming upstream sends through its subscriptions, which release the subscriber.
    if conduct != .early, conduct != .nonconforming { self.subscriber = nil }
  }

  private func sendSubscription() {
    guard let subscriber else { return }
    let number = subscriptions.count
    let subscription = UpstreamSubscription(
      number: number, trace: trace, subscriber: subscriber, isNonconforming: conduct == .nonconforming)
    if case .counting(let count) = conduct {
      subscription.sendNext = { [values, trace] (subscription: UpstreamSubscription) in
        if subscription.count == count { return subscription.complete(.finished) }
        subscription.count += 1
        trace.note(.sendsValue(number))
        subscription.send(fresh(values[(subscription.count - 1) % values.count]))
      }
      subscription.isEmpty = count == 0
    }
    subscriptions.append(subscription)
    Attachments.note(subscription, as: .upstreamSubscription)
    trace.note(.sendsSubscription(number))
    subscriber.receive(subscription: subscription)
    trace.waitForOtherThread()
    if subscription.isEmpty { subscription.complete(.finished) }
  }

  func releaseSubscribers() {
    let before = subscriber.take()
    for subscription in subscriptions { subscription.releaseSubscriber() }
    withExtendedLifetime(before) {}
  }

  func releaseSubscriptions() {
    let before = subscriptions
    subscriptions = []
    withExtendedLifetime(before) {}
  }

  // MARK: Steps

  var nextValue: String { "\(values[sentCount % values.count])" }

  func allows(_ step: Step) -> Bool {
    let hasSubscriber = subscriber != nil
    switch (conduct, step) {
    case (.good, .send): return subscriptions.last.map { !$0.isTerminated && $0.demand > .none } ?? false
    case (.good, .finish), (.good, .fail): return subscriptions.last.map { !$0.isTerminated } ?? false
    case (.good, .sendSubscription), (.counting, _): return false
    case (.nonconforming, _): return hasSubscriber
    case (.early, _): return hasSubscriber && (subscriptions.isEmpty || step != .sendSubscription)
    default: return false
    }
  }

  func perform(_ step: Step) {
    let number = subscriptions.isEmpty ? 0 : subscriptions.count - 1
    // A nonconforming upstream sends through the first subscription, also if it has sent others.
    let subscription = conduct == .nonconforming ? subscriptions.first : subscriptions.last
    switch step {
    case .send:
      let value = fresh(values[sentCount % values.count])
      sentCount += 1
      trace.note(.sendsValue(conduct == .nonconforming ? 0 : number))
      if let subscription { subscription.send(value) } else { _ = subscriber?.receive(value) }
    case .finish: complete(.finished, subscription)
    case .fail: complete(.failure(UpstreamFailure()), subscription)
    case .sendSubscription: sendSubscription()
    case .request, .requestUnlimited, .cancel, .wait: break
    }
  }

  private func complete(_ completion: Subscribers.Completion<UpstreamFailure>, _ subscription: UpstreamSubscription?) {
    if let subscription { return subscription.complete(completion) }
    trace.note(.sendsCompletion(0, isFailure: completion != .finished))
    subscriber?.receive(completion: completion)
  }

  // MARK: A subscription

  final class UpstreamSubscription: Subscription, CustomStringConvertible {
    private let number: Int
    private let trace: Trace
    private var subscriber: AnySubscriber<Output, UpstreamFailure>?
    private let isNonconforming: Bool
    var sendNext: ((UpstreamSubscription) -> Void)?
    var count = 0
    var isEmpty = false
    private var isSending = false
    private(set) var demand = Subscribers.Demand.none
    private(set) var isTerminated = false

    init(number: Int, trace: Trace, subscriber: AnySubscriber<Output, UpstreamFailure>, isNonconforming: Bool) {
      self.number = number
      self.trace = trace
      self.subscriber = subscriber
      self.isNonconforming = isNonconforming
    }

    deinit { UserCode.releases("the deinit of a subscription") }

    var description: String { Trace.upstreamSubscription }

    func send(_ value: Output) {
      guard let subscriber else { return }
      if demand > .none { demand -= 1 }
      let more = subscriber.receive(value)
      trace.waitForOtherThread()
      trace.note(.isAnswered(number, more))
      demand += more
      drain()
    }

    func complete(_ completion: Subscribers.Completion<UpstreamFailure>) {
      guard let subscriber else { return }
      trace.note(.sendsCompletion(number, isFailure: completion != .finished))
      releaseSubscription()
      subscriber.receive(completion: completion)
      trace.waitForOtherThread()
    }

    func request(_ demand: Subscribers.Demand) {
      trace.note(.isAsked(number, demand))
      UserCode.runs("request(_:) of a subscription")
      self.demand += demand
      drain()
    }

    func cancel() {
      trace.note(.isCancelled(number))
      releaseSubscription()
      UserCode.runs("cancel() of a subscription")
    }

    private func releaseSubscription() {
      isTerminated = true
      if !isNonconforming { releaseSubscriber() }
    }

    func releaseSubscriber() {
      // An assignment would release the old value before it stores the new one, and a `deinit` may re-enter this
      // method.
      let before = (subscriber.take(), sendNext.take())
      withExtendedLifetime(before) {}
    }

    /// Sends the requested values by itself, one after the other.
    private func drain() {
      if isSending || sendNext == nil { return }
      isSending = true
      defer { isSending = false }
      while demand > .none, !isTerminated { sendNext?(self) }
    }
  }
}

import Weir

/// The log of a ``TestSubscriber``, which records events and checks them.
struct SubscriberLog<Input, Failure: Error> {
  private(set) var history: [Recorded<Input, Failure>] = []
  /// The values of the history, so that reading them takes constant time.
  private(set) var values: [Input] = []
  private(set) var ledger = DemandLedger()
  private(set) var findings: [Finding] = []
  private(set) var completion: Subscribers.Completion<Failure>?
  private(set) var subscription: (any Subscription)?
  /// Whether the subscriber has cancelled, also before the subscription.
  private(set) var isCancelled = false
  /// The threads on which a cancellation has returned.
  private var cancellers: Set<UInt> = []
  /// The threads that are delivering, one entry for each delivery.
  private var deliverers: [UInt] = []
  let allowed: Set<ContractViolation.Rule>

  /// A violation whose event has not been formatted, because the value's type does that.
  struct Finding {
    let rule: ContractViolation.Rule
    let index: Int
    let ledger: DemandLedger
  }

  init(allowing allowed: Set<ContractViolation.Rule>) {
    self.allowed = allowed
  }

  // MARK: Calls by the publisher

  /// Returns `false` if the subscription must be cancelled.
  mutating func subscribed(_ subscription: any Subscription, named name: String, at time: VirtualTime) -> Bool {
    let isFirst = self.subscription == nil
    record(.subscription(name), at: time)
    if !isFirst {
      judge(.oneSubscription)
    } else {
      if completion != nil { judge(.nothingAfterCompletion) }
      self.subscription = subscription
    }
    return isFirst && !isCancelled
  }

  mutating func received(_ value: Input, at time: VirtualTime, on thread: UInt) {
    record(.value(value), at: time)
    values.append(value)
    let isAuthorized = ledger.receive()
    if !judgeArrival(on: thread), !isAuthorized { judge(.demand) }
    enter(thread)
  }

  mutating func ended(_ completion: Subscribers.Completion<Failure>, at time: VirtualTime, on thread: UInt) {
    record(.completion(completion), at: time)
    _ = judgeArrival(on: thread)
    if self.completion == nil { self.completion = completion }
    enter(thread)
  }

  /// Ends a delivery.
  mutating func left(returning demand: Subscribers.Demand, at time: VirtualTime, on thread: UInt) {
    if let last = deliverers.lastIndex(of: thread) { deliverers.remove(at: last) }
    guard demand > .none else { return }
    record(.returned(demand), at: time)
    if !isCancelled, completion == nil { ledger.return(demand) }
  }

  // MARK: Calls by the subscriber

  /// The subscription that the demand must be requested from, if there is one.
  mutating func requests(_ demand: Subscribers.Demand, at time: VirtualTime) -> (any Subscription)? {
    guard let subscription else { return nil }
    record(.requested(demand), at: time)
    if !isCancelled, completion == nil { ledger.request(demand) }
    return subscription
  }

  /// The subscription to cancel, if there is one.
  mutating func cancels(at time: VirtualTime) -> (any Subscription)? {
    record(.cancelled, at: time)
    isCancelled = true
    return subscription
  }

  mutating func cancelReturned(on thread: UInt) {
    if subscription != nil { cancellers.insert(thread) }
  }

  // MARK: Checks

  private mutating func record(_ event: TestEvent<Input, Failure>, at time: VirtualTime) {
    history.append(Recorded(time, event))
  }

  private mutating func enter(_ thread: UInt) {
    if !deliverers.isEmpty { judge(deliverers.contains(thread) ? .notNested : .serial) }
    deliverers.append(thread)
  }

  /// Returns `true` if the event should not have arrived.
  private mutating func judgeArrival(on thread: UInt) -> Bool {
    let rule: ContractViolation.Rule? =
      if subscription == nil { .subscriptionFirst } else if completion != nil {
        .nothingAfterCompletion
      } else if cancellers.contains(thread) { .nothingAfterCancel } else { nil }
    if let rule { judge(rule) }
    return rule != nil
  }

  private mutating func judge(_ rule: ContractViolation.Rule) {
    if allowed.contains(rule) { return }
    findings.append(Finding(rule: rule, index: history.count - 1, ledger: ledger))
  }
}

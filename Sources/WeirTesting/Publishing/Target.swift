import Weir

#if !WEIR_BARE
import Dispatch
#endif

/// The behavior of a ``TestPublisher`` towards its subscribers.
struct Manner {
  let buffers: Bool
  let misbehavior: Misbehavior

  func does(_ misbehavior: Misbehavior) -> Bool { self.misbehavior.contains(misbehavior) }

  /// Whether it sends events before a subscription.
  var isEarly: Bool { does(.beforeSubscription) || does(.withoutSubscription) }
}

/// One subscriber of a ``TestPublisher``, and its subscription.
///
/// Signals are enqueued, and one thread at a time dequeues them while there is demand.
final class Target<Output, Failure: Error>: Subscription, CustomStringConvertible {
  typealias Signal = TestPublisher<Output, Failure>.Signal

  private struct State {
    var subscriber: AnySubscriber<Output, Failure>?
    var record = SubscriptionRecord()
    var demand = Subscribers.Demand.none
    var waiting = CircularBuffer<Signal>()
    /// Whether a thread owns the delivery.
    var isDelivering: Bool
    var isSubscribed = false
    var isCompleted = false
    /// Scheduled work, which a cancellation removes.
    var scheduled: [Int] = []
  }

  private let state: Shared<State>
  private let manner: Manner
  /// Weak, because the work of a script, which the clock retains, refers to this object.
  private weak let clock: VirtualTimeScheduler?

  init(_ subscriber: AnySubscriber<Output, Failure>, manner: Manner, clock: VirtualTimeScheduler?) {
    state = Shared(State(subscriber: subscriber, isDelivering: !manner.isEarly))
    self.manner = manner
    self.clock = clock
    note(.subscribed)
  }

  var description: String { "TestPublisher" }

  var record: SubscriptionRecord { state.withLock { $0.record } }

  private func note(_ event: SubscriptionRecord.Event) {
    let time = clock?.now ?? .zero
    state.withLock { $0.record.entries.append(SubscriptionRecord.Entry(time: time, event: event)) }
  }

  // MARK: Calls by the publisher

  /// Sends the subscription, as the owner of the delivery.
  ///
  /// Events and requests during this call follow the subscription.
  func subscribe() {
    if manner.isEarly { return }
    handSubscription()
    drain()
  }

  private func handSubscription() {
    let subscriber = state.withLock { state in
      state.isSubscribed = true
      return state.subscriber
    }
    subscriber?.receive(subscription: self)
  }

  /// Records work of the clock.
  func schedule(_ works: [Int]) {
    let isTerminated = state.withLock { state in
      if state.subscriber != nil { state.scheduled = works }
      return state.subscriber == nil
    }
    if isTerminated { remove(works) }
  }

  private func remove(_ works: [Int]) {
    guard let clock else { return }
    works.forEach(clock.cancel)
  }

  func send(_ signal: Signal) {
    let count = state.withLock { state in
      let count = copies(of: signal, for: state)
      for _ in 0..<count { state.waiting.append(signal) }
      if case .completion = signal { state.isCompleted = true }
      return count
    }
    #if !WEIR_BARE
    if count == 2 { return deliverFromTwoThreads() }
    #endif
    deliver()
  }

  /// The number of times that a signal is sent: usually once, or not at all.
  private func copies(of signal: Signal, for state: State) -> Int {
    if state.subscriber == nil || (state.isCompleted && !manner.does(.afterCompletion)) { return 0 }
    guard case .value = signal else { return 1 }
    let unclaimed = needsDemand(state) ? max(0, (state.demand.max ?? .max) - state.waiting.count) : .max
    if manner.does(.fromTwoThreads), unclaimed > 1 { return 2 }
    return manner.buffers || unclaimed > 0 ? 1 : 0
  }

  private func needsDemand(_ state: State) -> Bool {
    !manner.does(.moreThanAsked) && !(manner.isEarly && !state.isSubscribed)
  }

  // MARK: Delivering

  private func deliver() {
    let isMine = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    if isMine { drain() }
  }

  /// Delivers the pending signals, as the owner of the delivery.
  private func drain() {
    while let (signal, subscriber) = state.withLock({ state in
      let next = takeNext(&state)
      state.isDelivering = next != nil
      return next
    }) {
      deliver(signal, to: subscriber)
    }
  }

  private func takeNext(_ state: inout State) -> (Signal, AnySubscriber<Output, Failure>)? {
    guard !state.waiting.isEmpty, let subscriber = state.subscriber else { return nil }
    let signal = state.waiting[0]
    if case .value = signal, needsDemand(state) {
      guard state.demand > .none else { return nil }
      state.demand -= 1
    }
    _ = state.waiting.popFirst()
    return (signal, subscriber)
  }

  private func deliver(_ signal: Signal, to subscriber: AnySubscriber<Output, Failure>) {
    switch signal {
    case .value(let value):
      let demand = subscriber.receive(value)
      if demand > .none {
        note(.returned(demand))
        state.withLock { $0.demand += demand }
      }
    case .completion(let completion):
      note(.completed)
      subscriber.receive(completion: completion)
    }
    if manner.does(.beforeSubscription), !state.withLock({ $0.isSubscribed }) { handSubscription() }
    if case .completion = signal, !manner.does(.afterCompletion) { releaseSubscription() }
  }

  #if !WEIR_BARE
  /// Delivers the pending signals, also while other threads deliver.
  private func deliverFromTwoThreads() {
    let started = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    // Safety: its state is behind locks. The subscriber is called on two threads on purpose. (`TestPublisherTests`)
    nonisolated(unsafe) let target = self
    DispatchQueue.global().async {
      started.signal()
      target.deliverNext()
      done.signal()
    }
    started.wait()
    deliverNext()
    done.wait()
  }

  private func deliverNext() {
    if let (signal, subscriber) = state.withLock({ takeNext(&$0) }) { deliver(signal, to: subscriber) }
  }
  #endif

  // MARK: Calls by the subscriber

  func request(_ demand: Subscribers.Demand) {
    note(.requested(demand))
    state.withLock { $0.demand += demand }
    deliver()
  }

  func cancel() {
    note(.cancelled)
    if !manner.does(.ignoresCancel) { releaseSubscription() }
  }

  /// Releases the subscriber and its pending signals outside the lock.
  private func releaseSubscription() {
    let remains = state.withLock { state in
      defer {
        state.subscriber = nil
        state.waiting.removeAll()
        state.scheduled = []
      }
      return (state.subscriber, state.waiting, state.scheduled)
    }
    remove(remains.2)
  }
}

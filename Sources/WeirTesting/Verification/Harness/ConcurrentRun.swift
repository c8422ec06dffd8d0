#if !WEIR_BARE
import Dispatch
import Synchronization
import Weir

// Safety: all mutable state is atomic or behind its lock. (`OperatorVerificationTests`)
/// A concurrent run of several threads, and the violations in its result.
///
/// An upstream sends on one thread, and a subject is sent to on two. The subscriber requests on others, and may cancel on
/// another. One more thread reads the description and the mirror that the subscription defines.
final class ConcurrentRun: @unchecked Sendable {
  /// The number of calls of each thread.
  static let count = 100

  private let record = Locked(Record())
  private let delivering = Atomic<UInt>(0)
  private let cancelHasReturned = Atomic<Bool>(false)

  /// A closure that runs in each delivery, with its number.
  ///
  /// It is set before the first one.
  var onDelivery: (@Sendable (Int) -> Void)?

  private let threads = Atomic<Int>(0)
  private let lingered = Atomic<Int>(0)
  private let activity = DispatchSemaphore(value: 0)
  private let arrivals = DispatchSemaphore(value: 0)
  private let isOpen = Atomic<Bool>(false)

  struct Record {
    var isComplete = false
    var values: [String] = []
    /// The values and the completion.
    var deliveries: [String] = []
    var hasEnded = false
    var credit = Subscribers.Demand.none
    var requested = Subscribers.Demand.none
    var lateDeliveries = 0
    var faults: [Fault] = []
  }

  enum Fault: Equatable {
    /// Two threads requested concurrently from an upstream.
    case overlappingRequests
    /// The deliveries are incorrect.
    case delivery(String)
  }

  var faults: [Fault] { record.withLock { $0.faults } }

  /// The violation in the deliveries.
  var faultyDelivery: String? {
    for case .delivery(let reason) in faults { return reason }
    return nil
  }

  var deliveries: [String] { record.withLock { $0.deliveries } }

  /// The delivered values, in order; `nil` if the upstream could not send all of them.
  var values: [String]? { record.withLock { $0.isComplete ? $0.values : nil } }

  /// The demand that the threads have requested.
  var requested: Int { record.withLock { $0.requested.max ?? .max } }

  /// The number of values that unlimited demand delivers; `nil` if the threads may influence it.
  ///
  /// Only the sending thread uses it.
  var available: Int?
  private var patience = 1000

  /// Waits a moment if a requested value is missing; returns `false` if none is, or if it has waited for a second.
  ///
  /// An object that bounds the work of a call continues on another thread.
  func waitForRequested() -> Bool {
    guard let available, patience > 0, record.withLock({ $0.values.count }) < min(requested, available) else {
      return false
    }
    patience -= 1
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
    return true
  }

  /// Records a violation if not all requested values are delivered.
  func requireAllRequested() {
    while waitForRequested() {}
    guard let available else { return }
    let (count, expected) = (record.withLock { $0.values.count }, min(requested, available))
    if count < expected { note(.delivery("\(count) values arrived instead of \(expected).")) }
  }

  func noteAllSent() {
    record.withLock { $0.isComplete = true }
  }

  func note(_ fault: Fault) {
    record.withLock { $0.faults.append(fault) }
  }

  // MARK: Threads

  /// Runs a body `times` times on its own thread, from ``start()`` on.
  func run(_ group: DispatchGroup, times: Int = 1, _ body: @escaping @Sendable () -> Void) {
    threads.add(1, ordering: .sequentiallyConsistent)
    // A separate queue gets a thread even if many others wait for one.
    DispatchQueue(label: "weir.verification").async(group: group) { [self] in
      arrivals.signal()
      while !isOpen.load(ordering: .acquiring) { yieldThread() }
      for _ in 0..<times {
        body()
        activity.signal()
      }
      threads.subtract(1, ordering: .sequentiallyConsistent)
      activity.signal()
    }
  }

  /// Starts all threads together.
  func start() {
    for _ in 0..<threads.load(ordering: .sequentiallyConsistent) { arrivals.wait() }
    isOpen.store(true, ordering: .releasing)
  }

  /// Whether all threads have ended.
  var isAlone: Bool { threads.load(ordering: .sequentiallyConsistent) == 0 }

  /// Waits for the activity of another thread.
  func waitForActivity() { activity.wait() }

  /// Delays the thread, sometimes until another thread has run, so that concurrent calls are likelier to overlap.
  func linger() {
    if lingered.add(1, ordering: .relaxed).newValue % 16 != 0 {
      for _ in 0..<100 { _ = delivering.load(ordering: .relaxed) }
      return
    }
    yieldThread()
  }

  // MARK: The subscriber

  func asks(_ demand: Subscribers.Demand) {
    record.withLock { record in
      record.credit += demand
      record.requested += demand
    }
  }

  func cancelled() {
    cancelHasReturned.store(true, ordering: .sequentiallyConsistent)
  }

  /// Records the delivery of a value or of the completion.
  func deliver(_ text: String, isEnd: Bool) {
    let me = currentThread()
    let isLate = cancelHasReturned.load(ordering: .sequentiallyConsistent)
    let other = delivering.exchange(me, ordering: .sequentiallyConsistent)
    let number = record.withLock { record in
      record.deliveries.append(text)
      let number = record.deliveries.count - 1
      if other != 0, other != me { record.faults.append(.delivery("Two threads deliver at the same time.")) }
      if record.hasEnded { record.faults.append(.delivery("An event follows the completion.")) }
      if isLate { record.lateDeliveries += 1 }
      if record.lateDeliveries > 1 {
        record.faults.append(.delivery("More than one delivery begins after cancel() has returned."))
      }
      if isEnd {
        record.hasEnded = true
        return number
      }
      if record.credit == .none { record.faults.append(.delivery("The values exceed the demand.")) }
      if record.credit > .none { record.credit -= 1 }
      record.values.append(text)
      return number
    }
    if let onDelivery { onDelivery(number) } else { linger() }
    delivering.store(other == me ? me : 0, ordering: .sequentiallyConsistent)
  }
}

// Safety: mutable state is behind its lock, and only the sending thread reads the values. (`OperatorVerificationTests`)
/// An upstream that sends the values that other threads request, on one thread.
final class ConcurrentUpstream<Output>: Publisher, @unchecked Sendable {
  typealias Failure = UpstreamFailure

  private let values: [Output]
  private let concurrentRun: ConcurrentRun
  private let latest = Locked<UpstreamSubscription?>(nil)

  init(values: [Output], concurrentRun: ConcurrentRun) {
    self.values = values
    self.concurrentRun = concurrentRun
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    let ticket = UpstreamSubscription(AnySubscriber(subscriber), concurrentRun)
    latest.withLock { $0 = ticket }
    subscriber.receive(subscription: ticket)
  }

  /// Sends up to `count` values as they are requested, and then the completion.
  ///
  /// When no thread requests any more, it sends only the values that were requested by then.
  func sendAll(_ count: Int) {
    var sent = 0
    while sent < count {
      let isLast = concurrentRun.isAlone
      while sent < count, latest.withLock({ $0 })?.send(values[sent % values.count]) == true { sent += 1 }
      if isLast, !concurrentRun.waitForRequested() { break }
      if !isLast, sent < count { concurrentRun.waitForActivity() }
    }
    if sent == count { concurrentRun.noteAllSent() }
    latest.withLock { $0 }?.complete()
  }

  // Safety: mutable state is atomic or behind its lock. (`OperatorVerificationTests`)
  final class UpstreamSubscription: Subscription, @unchecked Sendable {
    private struct State {
      var subscriber: AnySubscriber<Output, UpstreamFailure>?
      var demand = Subscribers.Demand.none
    }

    private let state: Locked<State>
    private let concurrentRun: ConcurrentRun
    private let asking = Atomic<UInt>(0)

    init(_ subscriber: AnySubscriber<Output, UpstreamFailure>, _ concurrentRun: ConcurrentRun) {
      state = Locked(State(subscriber: subscriber))
      self.concurrentRun = concurrentRun
    }

    func request(_ demand: Subscribers.Demand) {
      let other = beginAsking()
      state.withLock { $0.demand += demand }
      concurrentRun.linger()
      endAsking(other)
    }

    /// Records that this thread requests, and returns the previous requester.
    func beginAsking() -> UInt {
      let me = currentThread()
      let other = asking.exchange(me, ordering: .sequentiallyConsistent)
      if other != 0, other != me { concurrentRun.note(.overlappingRequests) }
      return other
    }

    func endAsking(_ other: UInt) {
      asking.store(other == currentThread() ? other : 0, ordering: .sequentiallyConsistent)
    }

    func cancel() {
      let subscriber = state.withLock { $0.subscriber.take() }
      withExtendedLifetime(subscriber) {}
    }

    /// Returns `false` if the value has not been requested.
    fileprivate func send(_ value: Output) -> Bool {
      let subscriber = state.withLock { state -> AnySubscriber<Output, UpstreamFailure>? in
        guard state.demand > .none, let subscriber = state.subscriber else { return nil }
        state.demand -= 1
        return subscriber
      }
      guard let subscriber else { return false }
      let more = subscriber.receive(value)
      state.withLock { $0.demand += more }
      return true
    }

    fileprivate func complete() {
      state.withLock { $0.subscriber.take() }?.receive(completion: .finished)
    }
  }
}

// Safety: mutable state is behind its lock. (`OperatorVerificationTests`)
/// A subscriber that requests and cancels on several threads.
final class ConcurrentSubscriber<Input, Failure: Error>: Subscriber, ConcurrentParticipant, @unchecked Sendable {
  private let concurrentRun: ConcurrentRun
  private let held = Locked<(any Subscription)?>(nil)

  init(_ concurrentRun: ConcurrentRun) {
    self.concurrentRun = concurrentRun
  }

  func receive(subscription: any Subscription) {
    held.withLock { $0 = subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    concurrentRun.deliver("\(input)", isEnd: false)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: concurrentRun.deliver("finished", isEnd: true)
    case .failure(let error): concurrentRun.deliver("failure(\(error))", isEnd: true)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard let subscription = held.withLock({ $0 }) else { return }
    concurrentRun.asks(demand)
    subscription.request(demand)
  }

  func cancel() {
    held.withLock { $0 }?.cancel()
    concurrentRun.cancelled()
  }

  func look() {
    guard let subscription = held.withLock({ $0 }) else { return }
    // The default ones read stored properties, which another thread may be changing.
    if let described = subscription as? any CustomStringConvertible { _ = described.description }
    if let reflected = subscription as? any CustomReflectable { _ = reflected.customMirror.children.map { "\($0)" } }
  }
}

/// The actions of a crowd's threads on a subscriber.
protocol ConcurrentParticipant: AnyObject, Sendable {
  func request(_ demand: Subscribers.Demand)
  func cancel()
  /// Reads the description and the mirror that the subscription defines.
  func look()
}

extension VerificationTarget {
  /// Runs several threads on a new instance of the tested object.
  ///
  /// This thread sends, so an object that is bound to it may be sent to.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether another thread cancels.
  ///   - available: The number of values that unlimited demand delivers, if the threads have no influence on it.
  /// - Returns: The deliveries and the violations.
  func concurrentRun(isCancelled: Bool, of available: Int?) -> ConcurrentRun {
    let concurrentRun = ConcurrentRun()
    concurrentRun.available = isCancelled ? nil : available
    let harness = VerificationHarness(manner: .plain, conduct: .good)
    harness.concurrentRun = concurrentRun
    harness.sendsOnThreads = kind == .subject
    build(harness)
    guard let member = harness.attachToCrowd?() else { return concurrentRun }
    let scheduler = harness.scheduler
    scheduler.advance()
    let (count, group) = (ConcurrentRun.count, DispatchGroup())
    let sender = harness.sender
    // A subject has values from the start, but delivers only requested ones.
    if sender != nil { member.request(.max(count)) }
    // Two threads would request from the upstream concurrently if the operator forwards its subscription.
    for _ in 0..<(kind == .operator ? 1 : 2) {
      concurrentRun.run(group, times: count) { member.request(.max(1)) }
    }
    concurrentRun.run(group, times: count) { member.look() }
    if isCancelled { concurrentRun.run(group) { member.cancel() } }
    if isAsynchronous { concurrentRun.run(group, times: count) { scheduler.advance(by: 1) } }
    if let sender, !traits.contains(.isSentOnOneThread) {
      concurrentRun.run(group, times: count) { _ = sender.sendNext() }
    }
    concurrentRun.start()
    harness.sendAll?(count)
    for _ in 0..<count { _ = sender?.sendNext() }
    if isCancelled {
      sender?.complete(isFailure: false)
      group.wait()
    } else {
      group.wait()
      // A subject may have dropped values before they were requested.
      if let sender { for _ in 0..<concurrentRun.requested { _ = sender.sendNext() } }
      concurrentRun.requireAllRequested()
      sender?.complete(isFailure: false)
    }
    if isAsynchronous { scheduler.advance(by: 100) }
    return concurrentRun
  }
}
#endif

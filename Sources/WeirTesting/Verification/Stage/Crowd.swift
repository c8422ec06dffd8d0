#if canImport(Dispatch)
import Dispatch
import Synchronization
import Weir

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#elseif canImport(WinSDK)
import WinSDK
#endif

// Safety: all that changes is atomic or behind its lock. (`OperatorVerificationTests`)
/// What several threads did to something at once, and what was wrong with what came of it.
///
/// The upstream sends on one thread, the subscriber asks on another, and perhaps cancels on a third, while a fourth looks
/// at what the subscription shows of itself.
final class Crowd: @unchecked Sendable {
  private let record = Locked(Record())
  private let delivering = Atomic<UInt>(0)
  private let cancelHasReturned = Atomic<Bool>(false)

  /// Runs inside each delivery, with its number; it is set before the first one.
  var onDelivery: (@Sendable (Int) -> Void)?

  private let threads = Atomic<Int>(0)
  private let lingered = Atomic<Int>(0)
  private let activity = DispatchSemaphore(value: 0)

  struct Record {
    var isComplete = false
    var values: [String] = []
    /// The values and the end.
    var deliveries: [String] = []
    var hasEnded = false
    var credit = Subscribers.Demand.none
    var lateDeliveries = 0
    var faults: [Fault] = []
  }

  enum Fault: Equatable {
    /// An upstream was asked by two threads at once.
    case overlappingRequests
    /// Something is wrong with what was delivered.
    case delivery(String)
  }

  var faults: [Fault] { record.withLock { $0.faults } }

  /// What is wrong with what was delivered.
  var faultyDelivery: String? {
    for case .delivery(let reason) in faults { return reason }
    return nil
  }

  var deliveries: [String] { record.withLock { $0.deliveries } }

  /// What was delivered, in order; `nil` if the upstream could not send all.
  var values: [String]? { record.withLock { $0.isComplete ? $0.values : nil } }

  func noteAllSent() {
    record.withLock { $0.isComplete = true }
  }

  func note(_ fault: Fault) {
    record.withLock { $0.faults.append(fault) }
  }

  // MARK: Threads

  /// Does something so many times on a thread of its own.
  func run(_ group: DispatchGroup, times: Int = 1, _ body: @escaping @Sendable () -> Void) {
    threads.add(1, ordering: .sequentiallyConsistent)
    DispatchQueue.global().async(group: group) { [self] in
      for _ in 0..<times {
        body()
        activity.signal()
      }
      threads.subtract(1, ordering: .sequentiallyConsistent)
      activity.signal()
    }
  }

  /// Whether all threads have ended.
  var isAlone: Bool { threads.load(ordering: .sequentiallyConsistent) == 0 }

  /// Waits until another thread has done something.
  func waitForActivity() { activity.wait() }

  /// Takes a while, now and then until another thread has gone first: so calls of several threads are more likely to meet.
  func linger() {
    if lingered.add(1, ordering: .relaxed).newValue % 16 != 0 {
      for _ in 0..<100 { _ = delivering.load(ordering: .relaxed) }
      return
    }
    #if canImport(WinSDK)
    SwitchToThread()
    #else
    sched_yield()
    #endif
  }

  // MARK: The subscriber

  func asks(_ demand: Subscribers.Demand) {
    record.withLock { $0.credit += demand }
  }

  func cancelled() {
    cancelHasReturned.store(true, ordering: .sequentiallyConsistent)
  }

  /// A delivery of a value, or of the end.
  func deliver(_ text: String, isEnd: Bool) {
    let me = currentThread()
    let isLate = cancelHasReturned.load(ordering: .sequentiallyConsistent)
    let other = delivering.exchange(me, ordering: .sequentiallyConsistent)
    let number = record.withLock { record in
      record.deliveries.append(text)
      let number = record.deliveries.count - 1
      if other != 0, other != me { record.faults.append(.delivery("Two threads deliver at once.")) }
      if record.hasEnded { record.faults.append(.delivery("Something comes after the end.")) }
      if isLate { record.lateDeliveries += 1 }
      if record.lateDeliveries > 1 {
        record.faults.append(.delivery("More than one delivery begins after the cancel has returned."))
      }
      if isEnd {
        record.hasEnded = true
        return number
      }
      if record.credit == .none { record.faults.append(.delivery("More comes than was asked for.")) }
      if record.credit > .none { record.credit -= 1 }
      record.values.append(text)
      return number
    }
    if let onDelivery { onDelivery(number) } else { linger() }
    delivering.store(other == me ? me : 0, ordering: .sequentiallyConsistent)
  }
}

// Safety: what changes is behind its lock, and only the thread that sends reads the values. (`OperatorVerificationTests`)
/// An upstream that sends on one thread what others have asked for.
final class CrowdUpstream<Output>: Publisher, @unchecked Sendable {
  typealias Failure = UpstreamFailure

  private let values: [Output]
  private let crowd: Crowd
  private let latest = Locked<Ticket?>(nil)

  init(values: [Output], crowd: Crowd) {
    self.values = values
    self.crowd = crowd
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == UpstreamFailure {
    let ticket = Ticket(AnySubscriber(subscriber), crowd)
    latest.withLock { $0 = ticket }
    subscriber.receive(subscription: ticket)
  }

  /// Sends as much as is asked for, up to so many values, and the end.
  ///
  /// When nobody is left who asks, what has not been asked for by then isn't sent.
  func sendAll(_ count: Int) {
    var sent = 0
    while sent < count {
      let isLast = crowd.isAlone
      while sent < count, latest.withLock({ $0 })?.send(values[sent % values.count]) == true { sent += 1 }
      if isLast { break }
      if sent < count { crowd.waitForActivity() }
    }
    if sent == count { crowd.noteAllSent() }
    latest.withLock { $0 }?.complete()
  }

  // Safety: what changes is atomic or behind its lock. (`OperatorVerificationTests`)
  final class Ticket: Subscription, @unchecked Sendable {
    private struct State {
      var subscriber: AnySubscriber<Output, UpstreamFailure>?
      var demand = Subscribers.Demand.none
    }

    private let state: Locked<State>
    private let crowd: Crowd
    private let asking = Atomic<UInt>(0)

    init(_ subscriber: AnySubscriber<Output, UpstreamFailure>, _ crowd: Crowd) {
      state = Locked(State(subscriber: subscriber))
      self.crowd = crowd
    }

    func request(_ demand: Subscribers.Demand) {
      let other = beginAsking()
      state.withLock { $0.demand += demand }
      crowd.linger()
      endAsking(other)
    }

    /// Notes that this thread asks, and whether another does; gives back who asked before.
    func beginAsking() -> UInt {
      let me = currentThread()
      let other = asking.exchange(me, ordering: .sequentiallyConsistent)
      if other != 0, other != me { crowd.note(.overlappingRequests) }
      return other
    }

    func endAsking(_ other: UInt) {
      asking.store(other == currentThread() ? other : 0, ordering: .sequentiallyConsistent)
    }

    func cancel() {
      let subscriber = state.withLock { $0.subscriber.take() }
      withExtendedLifetime(subscriber) {}
    }

    /// False if the value has not been asked for.
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

// Safety: what changes is behind its lock. (`OperatorVerificationTests`)
/// A subscriber that is told on several threads to ask and to cancel.
final class CrowdSubscriber<Input, Failure: Error>: Subscriber, CrowdMember, @unchecked Sendable {
  private let crowd: Crowd
  private let held = Locked<(any Subscription)?>(nil)

  init(_ crowd: Crowd) {
    self.crowd = crowd
  }

  func receive(subscription: any Subscription) {
    held.withLock { $0 = subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    crowd.deliver("\(input)", isEnd: false)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: crowd.deliver("finished", isEnd: true)
    case .failure(let error): crowd.deliver("failure(\(error))", isEnd: true)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard let subscription = held.withLock({ $0 }) else { return }
    crowd.asks(demand)
    subscription.request(demand)
  }

  func cancel() {
    held.withLock { $0 }?.cancel()
    crowd.cancelled()
  }

  func look() {
    guard let subscription = held.withLock({ $0 }) else { return }
    _ = "\(subscription)"
    _ = Mirror(reflecting: subscription).children.map { "\($0)" }
  }
}

/// What the threads of a crowd do to a subscriber.
protocol CrowdMember: AnyObject, Sendable {
  func request(_ demand: Subscribers.Demand)
  func cancel()
  /// Looks at what the subscription shows of itself.
  func look()
}

extension Bench {
  /// Lets several threads at something, freshly made.
  ///
  /// This thread sends: what is bound to it may be sent to.
  func crowd(isCancelled: Bool) -> Crowd {
    let crowd = Crowd()
    let stage = Stage(manner: .plain, conduct: .good)
    stage.crowd = crowd
    build(stage)
    guard let member = stage.attachToCrowd?() else { return crowd }
    let scheduler = stage.scheduler
    scheduler.advance()
    let count = 6
    let group = DispatchGroup()
    crowd.run(group, times: count) { member.request(.max(1)) }
    crowd.run(group, times: count) { member.look() }
    if isCancelled { crowd.run(group) { member.cancel() } }
    if isAsynchronous { crowd.run(group, times: count) { scheduler.advance(by: 1) } }
    if let sendAll = stage.sendAll {
      sendAll(count)
    } else if let upstream = stage.upstream {
      for _ in 0..<count { upstream.perform(.send) }
      upstream.perform(.finish)
    } else {
      for _ in 0..<count { member.request(.max(1)) }
    }
    group.wait()
    if isAsynchronous { scheduler.advance(by: 100) }
    return crowd
  }
}
#endif

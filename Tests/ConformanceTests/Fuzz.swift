import Foundation
import Synchronization
import Weir
import WeirRx
import WeirTesting

/// What a random pipeline is made of, and what went wrong in it.
///
/// Closures, comparisons, deinits and subscribers call ``act()``, which now and then does something to the pipeline from
/// inside the call.
final class FuzzRun: @unchecked Sendable {  // What changes is behind a lock or atomic.
  private struct State {
    var random: SplitMix
    var actionsLeft: Int
    var faults: [String] = []
    var isOver = false
    /// Those that joined later, from inside a call.
    var others: [FuzzSubscriber] = []
  }

  private let state: NSLockedState<State>
  private let nesting = Atomic<Int>(0)
  private let live = Atomic<Int>(0)

  // Set before it begins, and let go of in the end.
  var subjects: [any FuzzSender] = []
  var subscribers: [FuzzSubscriber] = []
  var pipeline: AnyPublisher<FuzzValue, FuzzError>?
  let scheduler = VirtualTimeScheduler()

  init(random: SplitMix, actions: Int) {
    state = NSLockedState(State(random: random, actionsLeft: actions))
  }

  var liveCount: Int { live.load(ordering: .acquiring) }
  var faults: [String] { state.withLock { $0.faults } }

  func count(_ change: Int) { live.wrappingAdd(change, ordering: .acquiringAndReleasing) }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  func random(below limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.random) } }

  func value() -> FuzzValue { FuzzValue(random(below: 6), self) }

  /// Forgets everything: nothing acts from now on.
  func end() {
    state.withLock { $0.isOver = true }
    let others = state.withLock { state in
      defer { state.others = [] }
      return state.others
    }
    for subscriber in subscribers + others { subscriber.cancel() }
    for subject in subjects { subject.end() }
    scheduler.advance(by: 100)
    let everything = (subjects, subscribers, pipeline)
    (subjects, subscribers, pipeline) = ([], [], nil)
    withExtendedLifetime(everything) {}
  }

  /// A place where user code runs: one in six acts, as long as there are actions left.
  func act() {
    let choice = state.withLock { state -> Int? in
      guard !state.isOver, state.actionsLeft > 0, Int.random(in: 0..<6, using: &state.random) == 0 else { return nil }
      state.actionsLeft -= 1
      return Int.random(in: 0..<16, using: &state.random)
    }
    guard let choice else { return }
    defer { nesting.wrappingSubtract(1, ordering: .relaxed) }
    if nesting.wrappingAdd(1, ordering: .relaxed).newValue > 4 { return }
    perform(choice)
  }

  /// Does one of sixteen things.
  func perform(_ choice: Int) {
    guard !subjects.isEmpty, let subscriber = subscribers.first else { return }
    let subject = subjects[choice % subjects.count]
    switch choice {
    case 0...6: subject.send(value())
    case 7, 8:
      subject.send(value())
      subject.send(value())
    case 9: subject.complete(isFailure: false)
    case 10: subject.complete(isFailure: true)
    case 11: subscriber.cancel()
    case 12, 13: subscriber.request(.max(1))
    case 14: subscriber.request(.unlimited)
    default:
      let other = FuzzSubscriber(self, demand: .max(2), isChecked: false)
      state.withLock { $0.others.append(other) }
      pipeline?.subscribe(other)
    }
  }
}

/// A lock that Thread Sanitizer knows.
final class NSLockedState<State>: @unchecked Sendable {  // The lock is the only way to the state.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }
}

/// A number whose comparison, hash and deinit act.
struct FuzzValue: Comparable, Hashable, Sendable, CustomStringConvertible {
  private final class Storage: Sendable {
    let number: Int
    let run: FuzzRun

    init(_ number: Int, _ run: FuzzRun) {
      self.number = number
      self.run = run
      run.count(1)
    }

    deinit {
      run.count(-1)
      run.act()
    }
  }

  private let storage: Storage

  init(_ number: Int, _ run: FuzzRun) { storage = Storage(number, run) }

  var number: Int { storage.number }
  var run: FuzzRun { storage.run }
  var description: String { "\(number)" }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.run.act()
    return lhs.number == rhs.number
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.run.act()
    return lhs.number < rhs.number
  }

  func hash(into hasher: inout Hasher) {
    run.act()
    hasher.combine(number)
  }

  func plus(_ more: Int) -> FuzzValue {
    run.act()
    return FuzzValue((number + more) % 1000, run)
  }
}

/// An error whose deinit acts.
struct FuzzError: Error {
  let value: FuzzValue
}

/// What sends into a pipeline.
protocol FuzzSender: AnyObject {
  func send(_ value: FuzzValue)
  func complete(isFailure: Bool)
  func end()
}

/// A subject as a sender.
final class FuzzSubject<S: Subject>: FuzzSender where S.Output == FuzzValue, S.Failure == FuzzError {
  let subject: S
  private let run: FuzzRun

  init(_ subject: S, _ run: FuzzRun) {
    self.subject = subject
    self.run = run
  }

  func send(_ value: FuzzValue) { subject.send(value) }

  func complete(isFailure: Bool) {
    subject.send(completion: isFailure ? .failure(FuzzError(value: run.value())) : .finished)
  }

  func end() { subject.send(completion: .finished) }
}

/// A publisher that keeps no rule: no subscription, or two, values without demand, after its end, and from several threads.
///
/// ``end()`` sends a subscription to each subscriber that has none. An operator that joins publishers sends its own
/// subscription when it has all of theirs. Until then its subscriber can't cancel, so it keeps the other upstreams, which
/// keep it: no library can tell such a publisher from one that is late.
final class FuzzMisbehaving: Publisher, FuzzSender, @unchecked Sendable {  // What changes is behind a lock.
  typealias Output = FuzzValue
  typealias Failure = FuzzError

  private struct State {
    var subscribers: [AnySubscriber<FuzzValue, FuzzError>] = []
    var isEnded = false
  }

  private let run: FuzzRun
  private let state = NSLockedState(State())
  private let subscriptionCount: Int

  init(_ run: FuzzRun, subscriptionCount: Int) {
    self.run = run
    self.subscriptionCount = subscriptionCount
  }

  private final class Ticket: Subscription {
    let run: FuzzRun
    init(_ run: FuzzRun) { self.run = run }
    func request(_ demand: Subscribers.Demand) { run.act() }
    func cancel() { run.act() }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == FuzzValue, S.Failure == FuzzError {
    let subscriber = AnySubscriber(subscriber)
    let isEnded = state.withLock { state in
      // An operator that subscribes again keeps this publisher: kept in turn after the end, neither would be released.
      if !state.isEnded { state.subscribers.append(subscriber) }
      return state.isEnded
    }
    let count = isEnded && subscriptionCount == 0 ? 1 : subscriptionCount
    for _ in 0..<count { subscriber.receive(subscription: Ticket(run)) }
    if run.random(below: 3) == 0 { _ = subscriber.receive(run.value()) }
  }

  /// Those that get values: few, or a pipeline that subscribes again at each value would grow without end.
  private var audience: ArraySlice<AnySubscriber<FuzzValue, FuzzError>> {
    state.withLock { $0.subscribers.prefix(4) }
  }

  func send(_ value: FuzzValue) {
    for subscriber in audience { _ = subscriber.receive(value) }
  }

  func complete(isFailure: Bool) {
    for subscriber in audience {
      subscriber.receive(completion: isFailure ? .failure(FuzzError(value: run.value())) : .finished)
    }
  }

  func end() {
    let before = state.withLock { state in
      state.isEnded = true
      defer { state.subscribers = [] }
      return state.subscribers
    }
    if subscriptionCount > 0 { return }
    for subscriber in before { subscriber.receive(subscription: Ticket(run)) }
  }
}

/// The subscriber at the end of a pipeline, which checks what it receives.
final class FuzzSubscriber: Subscriber, @unchecked Sendable {  // What changes is behind a lock.
  typealias Input = FuzzValue
  typealias Failure = FuzzError

  private struct State {
    var subscription: (any Subscription)?
    var thread: UInt = 0
    var depth = 0
    var credit = Subscribers.Demand.none
    var isOver = false
    var hasCancelled = false
    var cancelled: UInt?
  }

  private let run: FuzzRun
  private let demand: Subscribers.Demand
  private let state = NSLockedState(State())
  private let isChecked: Bool
  /// What a publisher sends without demand is passed on, as in Combine.
  private let checksDemand: Bool

  init(_ run: FuzzRun, demand: Subscribers.Demand, checksDemand: Bool = true, isChecked: Bool = true) {
    self.run = run
    self.demand = demand
    self.checksDemand = checksDemand
    self.isChecked = isChecked
  }

  deinit { run.act() }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      if state.subscription != nil || state.hasCancelled { return false }
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    request(demand)
    run.act()
  }

  func receive(_ input: FuzzValue) -> Subscribers.Demand {
    enter(isValue: true)
    run.act()
    leave()
    guard run.random(below: 3) == 0 else { return .none }
    state.withLock { $0.credit += .max(1) }
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<FuzzError>) {
    enter(isValue: false)
    run.act()
    leave()
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state in
      if state.subscription != nil { state.credit += demand }
      return state.subscription
    }
    if demand > .none { subscription?.request(demand) }
  }

  func cancel() {
    let subscription = state.withLock { state in
      state.hasCancelled = true
      return state.subscription.take()
    }
    subscription?.cancel()
    let me = threadNumber()
    state.withLock { state in
      // Only what has returned, and on the thread that cancels, is silent for sure.
      if subscription != nil { state.cancelled = me }
    }
  }

  private func enter(isValue: Bool) {
    let me = threadNumber()
    let fault = state.withLock { state -> String? in
      defer {
        if state.depth == 0 { state.thread = me }
        state.depth += 1
        if !isValue { state.isOver = true }
      }
      if state.depth > 0, state.thread != me { return "two threads are inside the subscriber" }
      if state.isOver { return isValue ? "a value follows the completion" : "a second completion" }
      if state.cancelled == me { return "a delivery begins after cancel() has returned on this thread" }
      guard isValue else { return nil }
      if state.credit == .none { return checksDemand ? "a value exceeds the demand" : nil }
      state.credit -= 1
      return nil
    }
    if isChecked, let fault { run.fault(fault) }
  }

  private func leave() { state.withLock { $0.depth -= 1 } }
}

private func threadNumber() -> UInt { UInt(pthread_self()) }

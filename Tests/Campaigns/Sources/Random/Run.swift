// One run of a program: its shared state and its values. The hooks and tokens of `Pipelines` support only one thread.

import Foundation
import Synchronization
import Weir
import WeirTesting

/// State behind a lock.
final class Guarded<State>: @unchecked Sendable {  // The lock is the only access to the state.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }
}

/// The parts of a random pipeline, and the first fault.
///
/// Closures, comparisons, deinits and subscribers call ``reach()``, which sometimes acts on the pipeline during the
/// call.
final class Run: @unchecked Sendable {  // State that changes later is behind a lock, or atomic.
  private let acts: [RandomProgram.Step?]
  private let calls = Atomic<Int>(0)
  private let nesting = Atomic<Int>(0)
  private let closures = Atomic<Int>(0)
  private let live = Atomic<Int>(0)
  private let reentries = Atomic<Int>(0)
  private let drops = Atomic<Int>(0)
  private let earlyEvents = Atomic<Int>(0)
  private let isTerminated = Atomic<Bool>(false)
  private let firstFault = Guarded<String?>(nil)
  /// Subscribers that attached later.
  private let others = Guarded<[RandomSubscriber]>([])

  // Set before the run starts, and released at its end.
  var senders: [RandomProgram.Source: any Sender] = [:]
  var subscriber: RandomSubscriber?
  var pipeline: Pipeline?
  let scheduler = VirtualTimeScheduler()

  /// Whether an operator misses a cancellation, because it forwards its upstream's subscription, as in Combine.
  ///
  /// It then delivers values that user code has sent meanwhile.
  let hasScan: Bool

  init(_ program: RandomProgram) {
    hasScan = program.stages.contains { $0.operation.name == "scan" }
    let count = (program.acts.keys.max() ?? -1) + 1
    acts = (0..<count).map { program.acts[$0] }
  }

  /// The number of values, subscribers and subscriptions that are alive.
  var liveCount: Int { live.load(ordering: .acquiring) }

  /// The first fault.
  var fault: String? { firstFault.withLock { $0 } }

  /// Whether user code has acted during a call.
  var hasReentered: Bool { reentries.load(ordering: .relaxed) > 0 }

  /// Whether a buffer has reported a value that it dropped.
  var hasOverflowed: Bool { drops.load(ordering: .relaxed) > 0 }

  /// Whether the rogue has sent something to a subscriber before its subscription.
  var wasSentEarly: Bool { earlyEvents.load(ordering: .relaxed) > 0 }

  /// Whether a closure of an operator is running.
  var isInClosure: Bool { closures.load(ordering: .relaxed) > 0 }

  func inClosure<Result>(_ body: () -> Result) -> Result {
    closures.wrappingAdd(1, ordering: .relaxed)
    defer { closures.wrappingSubtract(1, ordering: .relaxed) }
    return body()
  }

  func count(_ change: Int) { live.wrappingAdd(change, ordering: .acquiringAndReleasing) }

  func sentEarly() { earlyEvents.wrappingAdd(1, ordering: .relaxed) }

  func dropped() { drops.wrappingAdd(1, ordering: .relaxed) }

  func report(_ text: String) { firstFault.withLock { $0 = $0 ?? text } }

  func value(_ number: Int) -> Value { Value(number, self) }

  // MARK: User code

  /// A place where user code runs.
  ///
  /// It acts if the program says so.
  func reach() {
    guard !isTerminated.load(ordering: .relaxed) else { return }
    let call = calls.wrappingAdd(1, ordering: .relaxed).oldValue
    guard call < acts.count, let step = acts[call] else { return }
    defer { nesting.wrappingSubtract(1, ordering: .relaxed) }
    if nesting.wrappingAdd(1, ordering: .relaxed).newValue > 4 { return }
    reentries.wrappingAdd(1, ordering: .relaxed)
    perform(step)
  }

  /// Performs a step of a script.
  func play(_ step: RandomProgram.Step) {
    subscriber?.beginStep()
    perform(step)
  }

  private func perform(_ step: RandomProgram.Step) {
    switch step {
    case .send(let source, let number): senders[source]?.send(value(number))
    case .finish(let source): senders[source]?.complete(isFailure: false)
    case .fail(let source): senders[source]?.complete(isFailure: true)
    case .cancel: subscriber?.cancel()
    case .request(let count): subscriber?.request(.max(count))
    case .requestUnlimited: subscriber?.request(.unlimited)
    case .subscribe:
      let other = RandomSubscriber(self, demand: .max(2))
      others.withLock { $0.append(other) }
      pipeline?.subscribe(other)
    case .advance: scheduler.advance(by: 1)
    }
  }

  /// Terminates and releases everything.
  func end() {
    subscriber?.beginStep()
    isTerminated.store(true, ordering: .relaxed)
    for other in others.withLock({ $0 }) { other.cancel() }
    subscriber?.cancel()
    for sender in senders.values { sender.end() }
    scheduler.advance(by: 100)
    let everything = (
      senders, subscriber, pipeline, others.withLock { others in exchange(&others, [RandomSubscriber]()) }
    )
    (senders, subscriber, pipeline) = ([:], nil, nil)
    withExtendedLifetime(everything) {}
  }
}

private func exchange<T>(_ place: inout T, _ new: T) -> T {
  defer { place = new }
  return place
}

// MARK: Values

/// A number whose comparison, hash and deinit are user code.
struct Value: Comparable, Hashable, Sendable {
  private final class Storage: Sendable {
    let number: Int
    let run: Run

    init(_ number: Int, _ run: Run) {
      self.number = number
      self.run = run
      run.count(1)
    }

    deinit {
      run.reach()
      run.count(-1)
    }
  }

  private let storage: Storage

  init(_ number: Int, _ run: Run) { storage = Storage(number, run) }

  var number: Int { storage.number }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.storage.run.reach()
    return lhs.number == rhs.number
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.storage.run.reach()
    return lhs.number < rhs.number
  }

  func hash(into hasher: inout Hasher) {
    storage.run.reach()
    hasher.combine(number)
  }

  /// A sum that user code calculates.
  func plus(_ more: Int) -> Value {
    storage.run.reach()
    return Value((number + more) % 1000, storage.run)
  }
}

/// An error whose deinit is user code.
struct Failed: Error {
  let value: Value
}

/// The bodies of the operators' closures.
///
/// They retain the run, which releases the pipeline at the end.
struct Closures: Sendable {
  let run: Run

  func act() { run.inClosure { run.reach() } }
  func plus(_ value: Value, _ more: Int = 1) -> Value { run.inClosure { value.plus(more) } }
  func sum(_ first: Value, _ second: Value) -> Value { run.inClosure { first.plus(second.number) } }
  func isOdd(_ value: Value) -> Bool { run.inClosure { value.plus(1).number % 2 == 0 } }
  func twoOf(_ value: Value) -> [Value] { run.inClosure { [value, value.plus(10)] } }

  func failure() -> Failed {
    run.inClosure {
      run.reach()
      return Failed(value: run.value(7))
    }
  }

  func dropped(_ value: Value) {
    run.dropped()
    act()
  }
}

import Dispatch
import Foundation
import Synchronization
import Weir

/// Runs threads one at a time, and decides at every relevant point which of them continues.
///
/// The threads are real ones, so that they have thread identifiers. The thread with the baton runs, and all others wait
/// for it. Weir's locks are modeled here too, so a deadlock is detected instead of blocking.
final class Interleaver: @unchecked Sendable {  // Only the thread with the baton accesses it.
  enum Outcome: Equatable {
    case done
    /// Every remaining thread waits for a lock.
    case deadlock
    /// The run doesn't terminate.
    case endless
  }

  private enum State: Equatable {
    case ready
    case blocked(ObjectIdentifier)
    case done
  }

  private final class Lane: @unchecked Sendable {
    let number: Int
    let worker = Worker.take()
    var state = State.ready
    unowned let interleaver: Interleaver

    init(_ number: Int, _ interleaver: Interleaver) {
      self.number = number
      self.interleaver = interleaver
    }

    var baton: DispatchSemaphore { worker.baton }
  }

  private static let currentLane: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    // Set once, before there are threads to order.
    interleavingHook = { point in
      guard let lane = Interleaver.lane else { return }
      lane.interleaver.reach(point, lane)
    }
    handOverHook = { takeOver in
      guard let lane = Interleaver.lane else { return takeOver() }
      lane.interleaver.handOvers.append(takeOver)
    }
    return key
  }()

  private static var lane: Lane? {
    pthread_getspecific(currentLane).map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The number of the calling thread; `nil` for any other thread.
  static var currentNumber: Int? { lane?.number }

  /// A test's own point.
  static func step() {
    if let lane { lane.interleaver.reach(.step, lane) }
  }

  /// Acts as a new thread of a program: takes offered gates, and delivers.
  ///
  /// A test thread does so in its turn. The remaining offers are taken after all threads have ended.
  static func takeOffers() {
    guard let interleaver = lane?.interleaver else { return }
    for _ in 0..<4 {
      step()
      if !interleaver.handOvers.isEmpty { interleaver.handOvers.removeFirst()() }
    }
  }

  private var handOvers: [() -> Void] = []

  private var lanes: [Lane] = []
  private var owners: [ObjectIdentifier: Int] = [:]
  private let isTerminated = DispatchSemaphore(value: 0)
  private var outcome = Outcome.done
  private var strategy: any InterleavingStrategy
  private(set) var trace: [Int] = []
  private var steps = 0

  private init(_ strategy: any InterleavingStrategy) {
    self.strategy = strategy
  }

  /// Runs all bodies to their ends, in the order of the strategy.
  static func run(
    _ bodies: [() -> Void], by strategy: any InterleavingStrategy
  ) -> (outcome: Outcome, trace: [Int], strategy: any InterleavingStrategy) {
    _ = currentLane
    let interleaver = Interleaver(strategy)
    interleaver.run(bodies)
    return (interleaver.outcome, interleaver.trace, interleaver.strategy)
  }

  private func run(_ bodies: [() -> Void]) {
    lanes = bodies.indices.map { Lane($0, self) }
    for (lane, body) in zip(lanes, bodies) {
      lane.worker.job = { [self] in
        pthread_setspecific(Interleaver.currentLane, Unmanaged.passUnretained(lane).toOpaque())
        body()
        pthread_setspecific(Interleaver.currentLane, nil)
        return {
          lane.state = .done
          self.goOn(after: lane)
        }
      }
    }
    next(after: nil)?.baton.signal()
    isTerminated.wait()
    while !handOvers.isEmpty { handOvers.removeFirst()() }
    if outcome == .done { lanes = [] }
  }

  private func reach(_ point: InterleavingPoint, _ lane: Lane) {
    switch point {
    case .step:
      pass(lane)
    case .acquire(let lock):
      pass(lane)
      while owners[lock] != nil {
        lane.state = .blocked(lock)
        pass(lane)
      }
      owners[lock] = lane.number
    case .release(let lock):
      owners[lock] = nil
      for other in lanes where other.state == .blocked(lock) { other.state = .ready }
    }
  }

  /// Switches to another thread, if the strategy decides so, and waits for the next turn.
  private func pass(_ lane: Lane) {
    steps += 1
    if steps > 20_000 {
      give(up: .endless)
      return lane.baton.wait()
    }
    guard let next = next(after: lane) else {
      give(up: .deadlock)
      return lane.baton.wait()
    }
    if next === lane { return }
    next.baton.signal()
    lane.baton.wait()
  }

  private func goOn(after lane: Lane) {
    if let next = next(after: lane) {
      next.baton.signal()
    } else if lanes.allSatisfy({ $0.state == .done }) {
      isTerminated.signal()
    } else {
      give(up: .deadlock)
    }
  }

  /// The remaining threads wait forever, and retain their objects.
  private func give(up outcome: Outcome) {
    self.outcome = outcome
    _ = Unmanaged.passRetained(self)
    isTerminated.signal()
  }

  private func next(after lane: Lane?) -> Lane? {
    let ready = lanes.filter { $0.state == .ready }
    if ready.count < 2 { return ready.first }
    let current = ready.contains { $0 === lane } ? lane?.number : nil
    let choice = strategy.choose(among: ready.map(\.number), current: current)
    let chosen = ready.first { $0.number == choice } ?? ready[0]
    trace.append(chosen.number)
    return chosen
  }
}

/// A lock that isn't the library's: one of a program that uses it.
///
/// It is recursive.
final class TestLock {
  private var owner: Int?
  private var depth = 0

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    let me = Interleaver.currentNumber
    if owner == nil || owner != me {
      if me != nil { interleavingHook(.acquire(ObjectIdentifier(self))) }
      owner = me
    }
    depth += 1
    defer {
      depth -= 1
      if depth == 0 {
        owner = nil
        if me != nil { interleavingHook(.release(ObjectIdentifier(self))) }
      }
    }
    return try body()
  }
}

/// A reusable thread, which waits for the baton in between.
private final class Worker: @unchecked Sendable {  // The thread that takes it sets its job, and then passes the baton.
  let baton = DispatchSemaphore(value: 0)

  /// The job.
  ///
  /// Its result runs after the job and all its captures have been released.
  var job: (() -> () -> Void)?

  private static let idle = Mutex<[Worker]>([])

  static func take() -> Worker {
    idle.withLock { $0.popLast() } ?? Worker()
  }

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        baton.wait()
        let finish = job.take()?()
        Self.idle.withLock { $0.append(self) }
        finish?()
      }
    }
  }
}

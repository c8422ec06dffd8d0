import Dispatch
import Foundation
import Synchronization
import Weir

/// Runs threads one at a time and decides, at every point where it matters, which of them goes on.
///
/// The threads are real ones, so that whoever asks which thread it is gets an answer; the one with the baton runs, all
/// others wait for it. A lock of ours is held here and not only in the system, so a deadlock is seen and not waited for.
final class Interleaver: @unchecked Sendable {  // Whoever has the baton touches it, and nobody else.
  enum Outcome: Equatable {
    case done
    /// Every thread that is left waits for a lock.
    case deadlock
    /// It doesn't come to an end.
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
    // Once, before there is any thread to order.
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

  /// Which of the threads calls; `nil` if it is none of them.
  static var currentNumber: Int? { lane?.number }

  /// A point of a test's own.
  static func step() {
    if let lane { lane.interleaver.reach(.step, lane) }
  }

  /// Does what new threads do in a program: takes offered gates, and delivers.
  ///
  /// A thread of the test does it in its turn. When all threads have ended, the rest of the offers is taken.
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
  private let isOver = DispatchSemaphore(value: 0)
  private var outcome = Outcome.done
  private var strategy: any InterleavingStrategy
  private(set) var trace: [Int] = []
  private var steps = 0

  private init(_ strategy: any InterleavingStrategy) {
    self.strategy = strategy
  }

  /// Runs all bodies to their ends, in the order that the strategy decides.
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
    isOver.wait()
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

  /// Lets another thread go on, if the strategy says so, and waits for the next turn.
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
      isOver.signal()
    } else {
      give(up: .deadlock)
    }
  }

  /// The threads that are left wait for ever, and keep what they have.
  private func give(up outcome: Outcome) {
    self.outcome = outcome
    _ = Unmanaged.passRetained(self)
    isOver.signal()
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

/// A lock that is none of the library's: one of a program that uses it.
///
/// The same thread may take it again.
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

/// A thread that is used again and again, and waits for the baton in between.
private final class Worker: @unchecked Sendable {  // Whoever has taken it gives it a job, and then the baton.
  let baton = DispatchSemaphore(value: 0)

  /// What is to be done; the result is done when the job and all it kept are gone.
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

// The subscriber at the end of a pipeline.

import Foundation
import Weir

/// The completion of a list.
enum End: Equatable {
  case finished, failed
}

/// An actual or expected event of a subscriber.
enum Event: Equatable {
  case value(Int)
  case end(End)
}

/// Checks the received events.
final class RandomSubscriber: Subscriber, Sendable {
  typealias Input = Value
  typealias Failure = Failed

  private struct State {
    var subscription: (any Subscription)?
    var events: [Event] = []
    var count = 0
    var thread: UInt = 0
    var depth = 0
    var credit = Subscribers.Demand.none
    var isTerminated = false
    /// The thread that has delivered a completion during a closure.
    var ending: UInt?
    var hasCancelled = false
    /// The thread on which `cancel()` has returned during a closure.
    var cancelling: UInt?
    /// The thread on which no event may arrive any more.
    var silent: UInt?
    var hasCrossed = false
  }

  /// The rules that are checked.
  struct Checks: OptionSet, Sendable {
    let rawValue: Int
    /// The number of values is within the demand.
    static let demand = Checks(rawValue: 1)
    /// No event follows the completion.
    static let end = Checks(rawValue: 2)
    /// No event follows a cancellation.
    static let silence = Checks(rawValue: 4)
    /// One thread at a time delivers.
    static let thread = Checks(rawValue: 8)

    static let all: Checks = [.demand, .end, .silence, .thread]
  }

  private let run: Run
  private let demand: Subscribers.Demand
  private let answers: Bool
  private let checks: Checks
  private let state = Guarded(State())

  init(_ run: Run, demand: Subscribers.Demand, answers: Bool = false, checks: Checks = []) {
    self.run = run
    self.demand = demand
    self.answers = answers
    self.checks = checks
    run.count(1)
  }

  deinit {
    run.reach()
    run.count(-1)
  }

  var events: [Event] { state.withLock { $0.events } }
  /// Whether a completion has arrived and has been handled.
  var hasCompleted: Bool {
    state.withLock { state in
      guard state.depth == 0, case .end = state.events.last else { return false }
      return true
    }
  }

  var hasCancelled: Bool { state.withLock { $0.hasCancelled } }
  /// Whether events arrived on several threads.
  var hasCrossed: Bool { state.withLock { $0.hasCrossed } }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      if state.subscription != nil || state.hasCancelled { return false }
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    request(demand)
    run.reach()
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    enter(.value(input.number))
    run.reach()
    let answer = state.withLock { state in
      state.depth -= 1
      state.count += 1
      guard answers, state.count % 3 == 0 else { return Subscribers.Demand.none }
      state.credit += .max(1)
      return .max(1)
    }
    return answer
  }

  func receive(completion: Subscribers.Completion<Failed>) {
    switch completion {
    case .finished: enter(.end(.finished))
    case .failure: enter(.end(.failed))
    }
    run.reach()
    state.withLock { $0.depth -= 1 }
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
      guard subscription != nil else { return }
      if run.isInClosure || run.hasScan { state.cancelling = me } else { state.silent = me }
    }
  }

  /// Starts a step of a script.
  ///
  /// A value whose closure cancels or completes still arrives, as in Combine, because `map` doesn't check this. When
  /// the next step starts on that thread, all closures have returned there.
  func beginStep() {
    let me = threadNumber()
    state.withLock { state in
      if state.cancelling == me { state.silent = me }
      if state.ending == me { state.isTerminated = true }
    }
  }

  private func enter(_ event: Event) {
    let me = threadNumber()
    let isValue = if case .value = event { true } else { false }
    let fault = state.withLock { state -> String? in
      defer {
        if state.thread != 0, state.thread != me { state.hasCrossed = true }
        if state.depth == 0 { state.thread = me }
        state.depth += 1
        state.events.append(event)
        if case .end = event {
          if run.isInClosure { state.ending = me } else { state.isTerminated = true }
        }
      }
      if checks.contains(.thread), state.depth > 0, state.thread != me {
        return "two threads are inside the subscriber"
      }
      if checks.contains(.end), state.isTerminated {
        return isValue ? "a value follows the completion" : "a second completion follows the first"
      }
      if checks.contains(.silence), state.silent == me {
        return isValue ? "a value follows a cancel" : "a completion follows a cancel"
      }
      guard isValue else { return nil }
      if state.credit == .none { return checks.contains(.demand) ? "a value exceeds the demand" : nil }
      state.credit -= 1
      return nil
    }
    if let fault { run.report(fault) }
  }
}

private func threadNumber() -> UInt {
  #if canImport(Darwin)
  UInt(bitPattern: pthread_self())
  #else
  UInt(pthread_self())
  #endif
}

// The terminations of a pipeline, and the test of an entry.

import Pipelines
import Weir

/// A termination of a pipeline.
private struct Ending {
  let name: String
  let script: [Act]
  let demand: Subscribers.Demand
  /// The place where the subscriber cancels by itself.
  let place: Place?
  /// The number of calls at that place before it cancels.
  let skipped: Int

  init(
    _ name: String, demand: Subscribers.Demand = .unlimited, cancelAt place: Place? = nil, skipping skipped: Int = 0,
    _ script: [Act]
  ) {
    self.name = name
    self.script = script
    self.demand = demand
    self.place = place
    self.skipped = skipped
  }

  /// Whether the source can be used again.
  var leavesSource: Bool {
    !script.contains { act in
      switch act {
      case .finish, .fail: true
      default: false
      }
    }
  }

  static let all: [Ending] = [
    Ending("a completion", [.subscribe, .value(3), .value(1), .value(4), .value(2), .value(5), .finish]),
    Ending("a failure", [.subscribe, .value(3), .value(1), .fail]),
    Ending("a completion without values", [.subscribe, .finish]),
    Ending("a cancel before any demand", demand: .none, [.subscribe, .cancel]),
    Ending("a cancel without demand, but with values", demand: .none, [.subscribe, .value(3), .value(4), .cancel]),
    Ending("a cancel after values", [.subscribe, .value(3), .value(1), .value(4), .cancel, .value(2)]),
    Ending(
      "a cancel during a value", cancelAt: .receive, skipping: 1, [.subscribe, .value(3), .value(1), .value(4)]),
    Ending("a cancel during the first event", cancelAt: .receive, [.subscribe, .value(3), .value(1)]),
    Ending("a cancel during receive(subscription:)", cancelAt: .attachment, [.subscribe, .value(3)]),
    Ending(
      "a cancel with pending values", demand: .max(1),
      [.subscribe, .value(3), .value(1), .value(4), .value(2), .value(5), .cancel]),
    Ending(
      "a cancel after a pending completion", demand: .max(1),
      [.subscribe, .value(3), .value(1), .value(4), .finish, .cancel]),
    Ending(
      "a cancel after a pending failure", demand: .max(1),
      [.subscribe, .value(3), .value(1), .value(4), .fail, .cancel]),
    Ending(
      "a request after a pending completion", demand: .max(1),
      [.subscribe, .value(3), .value(1), .value(4), .finish, .request(.unlimited), .cancel]),
    Ending(
      "the cancel of one of two subscribers",
      [.subscribe, .value(3), .subscribe, .value(1), .cancel, .value(4), .value(2)]),
    Ending("a cancel after a request", demand: .none, [.subscribe, .request(.max(1)), .value(3), .value(4), .cancel]),
  ]
}

/// The objects that are retained between rounds.
private enum Reuse: String, CaseIterable {
  case nothing = ""
  /// The publisher, with what feeds it, and the scheduler.
  case source = ", of a source that stays alive,"
  /// None; and a publisher that is not Weir's feeds the operator.
  case foreign = ", of a publisher that is not Weir's,"
}

extension Entry {
  /// Describes the first termination that leaves objects behind.
  func leftover() -> String? {
    for ending in Ending.all {
      for reuse in Reuse.allCases where reuse != .source || ending.leavesSource {
        // If no time passes, timers and hops are still pending at the end.
        for passesTime in isTimed ? [false, true] : [false] {
          if let leftover = leftover(ending, reuse, passesTime: passesTime) { return leftover }
        }
      }
    }
    return leftoverOfSink()
  }

  private var isTimed: Bool { make(Hook(nil, .cancel, .none, demand: .unlimited)).advance != nil }

  private func leftover(_ ending: Ending, _ reuse: Reuse, passesTime: Bool) -> String? {
    var script = ending.script
    if deeds.contains(.connect) { script = Script.connected(script) + [.disconnect] }
    if passesTime { script = Script.timed(script) }
    // Without a subscription, a cancellation has no effect.
    if traits.contains(.takesTime) { script.insert(.advance, at: 1) }
    let plan = Plan(skipped: ending.skipped, count: ending.place == nil ? 0 : 1, number: .same)
    func makeHook() -> Hook {
      Hook(ending.place, .cancel, plan, demand: ending.demand, isForeign: reuse == .foreign)
    }
    let name = ending.name + reuse.rawValue + (passesTime ? " with an advancing clock" : "")
    if reuse == .source {
      let hook = makeHook()
      let stage = make(hook)
      // An active scheduler releases canceled work when it is due.
      if stage.advance != nil { script += Array(repeating: .advance, count: 12) }
      return measure(name, tokens: { hook.liveTokens }) {
        hook.run(script, on: stage)
        hook.reset()
      }
    }
    var tokens = 0
    return measure(name, tokens: { tokens }) {
      let hook = makeHook()
      perform(script, hook)
      tokens += hook.liveTokens
    }
  }

  /// Not inlined, so that the pipeline is released when it returns.
  @inline(never)
  private func perform(_ script: [Act], _ hook: Hook) {
    let stage = make(hook)
    hook.run(script, on: stage)
    passTimeIfNeeded(on: stage)
  }

  /// Lets the scheduler attach the subscriber, and forward its cancellation.
  private func passTimeIfNeeded(on stage: Stage) {
    if traits.contains(.takesTime) { for _ in 0..<4 { stage.advance?() } }
  }

  /// Describes the objects that a sink leaves behind when its cancellable is released.
  private func leftoverOfSink() -> String? {
    var tokens = 0
    return measure("the release of a cancellable", tokens: { tokens }) {
      let hook = Hook(nil, .cancel, .none, demand: .unlimited)
      dropSink(hook)
      tokens += hook.liveTokens
    }
  }

  @inline(never)
  private func dropSink(_ hook: Hook) {
    let stage = make(hook)
    let held = hook.token(9)
    var sink: AnyCancellable? = stage.publisher.sink { _ in
    } receiveValue: { _ in
      withExtendedLifetime(held) {}
    }
    passTimeIfNeeded(on: stage)
    stage.connect()
    stage.send(hook.token(3))
    stage.send(hook.token(1))
    stage.advance?()
    withExtendedLifetime(sink) {}
    sink = nil
    stage.disconnect()
    passTimeIfNeeded(on: stage)
  }
}

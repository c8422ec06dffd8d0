// The test of an entry. A pipeline must send the events of the same acts in sequence, in the order in which they began.
// An event that arrives during an operation is pending until the operation has returned.

import Cases
import Pipelines
import Weir

extension Entry {
  var cases: [Case] {
    let receivers: [Place] = traits.contains(.hasNoReceiver) ? [] : [.receive]
    return (places + receivers).flatMap { place in
      deeds.map { deed in Case("\(name)/\(place.rawValue)/\(deed.rawValue)") { fault(at: place, deed) } }
    }
  }

  // MARK: The test

  /// Describes the first round whose events differ from the serial order.
  private func fault(at place: Place, _ deed: Deed) -> String? {
    var fired = 0
    for script in Script.all {
      for plan in Plan.all(for: deed) {
        let run = Run(self, script, at: place, deed, plan)
        fired += run.fired
        if let fault = run.breach ?? difference(of: run, deed, at: place) {
          return "did \(list(run.log.map { $0.isNested ? "(\($0.act))" : "\($0.act)" })): \(fault)"
        }
      }
    }
    return fired > 0 ? nil : "no user code runs here: the case tests nothing"
  }

  /// The script with additional acts: a connection, and time.
  fileprivate func adapted(_ script: [Act], isTimed: Bool) -> [Act] {
    if isTimed { return Script.timed(script) }
    return deeds.contains(.connect) ? Script.connected(script) : script
  }

  /// Whether the acts have a serial equivalent.
  private func isSerial(_ run: Run, _ deed: Deed, at place: Place) -> Bool {
    if traits.contains(.isUnordered) { return false }
    if traits.contains(.letsReceiversOvertake), place == .receive || deed == .request { return false }
    if traits.contains(.sharesLater), place != .receive, deed == .request || deed == .subscribe { return false }
    // Values before the subscriber is attached to the source are dropped.
    let isSending = deed != .request && deed != .cancel && deed != .subscribe
    return !isSending || !run.log.contains(where: \.isInAttachment)
  }

  /// The difference between a run's events and those of the same acts in sequence.
  private func difference(of run: Run, _ deed: Deed, at place: Place) -> String? {
    guard isSerial(run, deed, at: place) else { return nil }
    // A cancellation may take effect between any deliveries, so the events before it are compared with a run without
    // it.
    let acts = run.log.filter { entry in
      if case .cancel = entry.act { !entry.isNested } else { true }
    }
    let serial = Run(self, acts.map(\.act), deed)
    for (index, seen) in run.seen.enumerated() {
      let expected = index < serial.seen.count ? serial.seen[index] : []
      let isCut = deed == .cancel && index == 0 && run.hasCancelled
      if isCut ? expected.starts(with: seen) : seen == expected { continue }
      if deed == .fail, traits.contains(.letsFailureOvertake), seen.last == expected.last,
        expected.starts(with: seen.dropLast())
      {
        continue
      }
      return "got \(list(seen)) instead of \(list(expected))"
    }
    return nil
  }
}

private func list(_ words: [String]) -> String { words.isEmpty ? "nothing" : words.joined(separator: " ") }

/// The result of a run.
private struct Run {
  let log: [Hook.Logged]
  let seen: [[String]]
  let fired: Int
  /// The violation of a rule that holds in every order.
  let breach: String?

  var hasCancelled: Bool {
    log.contains { if case .cancel = $0.act { $0.isNested } else { false } }
  }

  /// Runs a script; without a place, user code doesn't act.
  init(_ entry: Entry, _ script: [Act], at place: Place? = nil, _ deed: Deed, _ plan: Plan = .none) {
    let isLimited = deed == .request && entry.demand == .unlimited
    let hook = Hook(place, deed, plan, demand: isLimited ? .max(3) : entry.demand)
    perform(script, entry, hook, isReplay: place == nil)
    log = hook.log
    seen = hook.recorders.map(\.seen)
    fired = hook.fired
    var breach = hook.recorders.lazy.compactMap(\.breach).first
    let late = hook.recorders.map(\.late).max() ?? 0
    if breach == nil, late > 0, !entry.traits.contains(.passesSubscriptionOn) {
      breach = "received a value after a cancel"
    }
    if breach == nil, hook.liveTokens != 0 { breach = "leaked \(hook.liveTokens) values" }
    self.breach = breach
  }
}

/// Not inlined, so that the pipeline is released when it returns.
@inline(never)
private func perform(_ script: [Act], _ entry: Entry, _ hook: Hook, isReplay: Bool) {
  let stage = entry.make(hook)
  hook.run(isReplay ? script : entry.adapted(script, isTimed: stage.advance != nil), on: stage)
}

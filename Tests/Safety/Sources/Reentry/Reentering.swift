// The test of an entry. A pipeline must send what it sends when the same acts are done one after the other, in the order
// in which they began: what arrives during an operation waits until the operation has returned.

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

  /// Describes the first round whose events are not those of the serial order.
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

  /// The script with what it needs besides: a connection, and time that passes.
  fileprivate func adapted(_ script: [Act], isTimed: Bool) -> [Act] {
    if isTimed { return Script.timed(script) }
    return deeds.contains(.connect) ? Script.connected(script) : script
  }

  /// Whether the acts have a serial equivalent.
  private func isSerial(_ run: Run, _ deed: Deed, at place: Place) -> Bool {
    if traits.contains(.isUnordered) { return false }
    if traits.contains(.letsReceiversOvertake), place == .receive || deed == .request { return false }
    if traits.contains(.sharesLater), place != .receive, deed == .request || deed == .subscribe { return false }
    // What is sent before the subscriber is attached to the source is lost.
    let isSending = deed != .request && deed != .cancel && deed != .subscribe
    return !isSending || !run.log.contains(where: \.isInAttachment)
  }

  /// How a run's events differ from those of the same acts one after the other.
  private func difference(of run: Run, _ deed: Deed, at place: Place) -> String? {
    guard isSerial(run, deed, at: place) else { return nil }
    // The order of a cancel among deliveries is open, so what was received before it is compared with a run without it.
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

/// What has come of a run.
private struct Run {
  let log: [Hook.Logged]
  let seen: [[String]]
  let fired: Int
  /// What broke a rule that holds in any order.
  let breach: String?

  var hasCancelled: Bool {
    log.contains { if case .cancel = $0.act { $0.isNested } else { false } }
  }

  /// Runs a script; without a place, user code does nothing.
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

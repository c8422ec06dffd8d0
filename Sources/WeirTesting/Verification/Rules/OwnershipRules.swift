#if canImport(Dispatch)
import Dispatch
import Weir

// What holds while one thread is inside the subscriber and another does something.
extension Rule {
  static let boundHolds = Rule(
    "C18", "A bound holds, and what is dropped is reported, while another thread is inside the subscriber.",
    for: .publishers
  ) { (bench) throws(Breach) in
    if let bound = bench.traits.bound { try bench.mustHold(atMost: bound) }
  }

  static let handsOver = Rule(
    "C19", "A call that delivers what other threads send returns after 256 deliveries, and nothing is lost.",
    for: [.operator, .subject],
    unless: [
      (.staysOnMainActor, "it is sent to on the main actor alone."),
      (.isSentOnOneThread, "it is sent to on one thread at a time."),
    ]
  ) { (bench) throws(Breach) in
    try bench.mustHandOver()
  }

  static let neverOverlap = Rule(
    "C20", "Upstreams that follow one another never deliver at the same time.", for: .operators
  ) { (bench) throws(Breach) in
    for feed in [Interference.Feed.scripted, .subject] {
      for isFailure in [false, true] { try bench.mustNotOverlap(feed, isFailure: isFailure) }
    }
  }

  static let survivesItsUpstream = Rule(
    "C21", "An upstream that breaks 1.1, 1.3, 1.7 or 1.9 is reported; only early and extra values get through.",
    for: .operators
  ) { (bench) throws(Breach) in
    try bench.mustSurviveThreads()
    try bench.mustSurviveRules()
  }
}

/// A thing and its subscriber, whom several threads meet at.
private struct Meeting {
  let stage: Stage
  let witness: Witness
  let subscriber: any WitnessHandle

  func end() {
    subscriber.letGo()
    stage.forget()
  }
}

extension Bench {
  /// Makes the thing and attaches its subscriber.
  private func meet(
    _ feed: Interference.Feed, _ manner: FreeManner? = nil, onDelivery: (@Sendable (Int) -> Void)? = nil
  ) -> Meeting? {
    Interference.$current.withValue(Interference(feed: feed)) {
      let stage = Stage(manner: .plain, conduct: .good)
      stage.freeManner = manner
      build(stage)
      let witness = Witness()
      witness.onDelivery = onDelivery
      guard let subscriber = stage.attachWitness?(witness) else { return nil }
      if isAsynchronous { stage.scheduler.advance() }
      return Meeting(stage: stage, witness: witness, subscriber: subscriber)
    }
  }

  private func breach(_ lines: [String], _ reason: String) -> Rule.Breach {
    Rule.Breach(lines: lines, length: lines.count, reason: reason)
  }

  // MARK: C18

  fileprivate func mustHold(atMost bound: Int) throws(Rule.Breach) {
    // What comes without demand isn't there when an operator without room is asked for it.
    if kind == .operator, bound == 0 { return }
    let (inside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isArmed = Shared(false)
    let meeting = meet(.subject, kind == .operator ? .good : nil) { _ in
      let isFirst = isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if !isFirst { return }
      inside.signal()
      goOn.wait()
    }
    guard let meeting, let sender = meeting.stage.sender else { return }
    defer { meeting.end() }
    let (witness, subscriber, helpers) = (meeting.witness, meeting.subscriber, Helpers())
    let live = LiveValues()
    let count = 10_000
    let lines = [
      "One thread is inside receive(_:) of the subscriber, which has requested 1.",
      "Another thread sends \(count) values.",
    ]
    var reason: String?
    var (sent, early) = (1, 0)
    ReportLog.collecting { log in
      if kind == .operator {
        sender.send(0, countedBy: live)
        isArmed.withLock { $0 = true }
        helpers.run { subscriber.request(.max(1)) }
      } else {
        // What it has at once isn't what is sent.
        subscriber.request(.max(1))
        early = witness.count
        if early > 0 { subscriber.request(.max(1)) }
        isArmed.withLock { $0 = true }
        helpers.run { sender.send(0, countedBy: live) }
      }
      if inside.wait(timeout: .now() + patience) == .timedOut {
        reason = "The value of the first thread was not delivered."
        goOn.signal()
        return
      }
      for number in 1...count where sender.send(number, countedBy: live) { sent += 1 }
      let (highest, reports) = (live.highest, log.count(of: .droppedValue))
      let isCancelled = sender.isCancelled
      // The one that is being delivered, and the one that is being sent.
      if highest > bound + 2 {
        reason = "\(highest) values were alive at once. There may be \(bound), and one for each of the two threads."
      }
      goOn.signal()
      if !helpers.wait() { reason = reason ?? "The first thread did not return." }
      subscriber.request(.unlimited)
      let lost = sent - witness.deliveries.count { !$0.isCompletion } + early
      let mayReplace = traits.contains(.keepsLatest)
      if reason == nil, !isCancelled, !mayReplace, sent > bound + 2, lost > 0, reports < lost - 2 {
        reason = "\(lost) values were dropped, and \(reports) reported while the first thread was inside."
      }
    }
    if let reason = reason ?? witness.fault { throw breach(lines, reason) }
  }

  // MARK: C19

  fileprivate func mustHandOver() throws(Rule.Breach) {
    var reason: String?
    let count = kind == .subject ? 10_000 : 2000
    ReportLog.collecting { log in reason = handOver(count) { log.count(of: .droppedValue) } }
    guard let reason else { return }
    throw breach(
      [
        "One thread is inside receive(_:) of the subscriber, which has requested unlimited.",
        "Another thread sends \(count) values and the completion.", "The first thread goes on.",
      ], reason)
  }

  private func handOver(_ count: Int, dropped: () -> Int) -> String? {
    let (inside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hold = Shared((isArmed: false, isReached: false))
    let meeting = meet(.subject) { _ in
      let isFirst = hold.withLock { hold in
        defer { hold = (false, hold.isReached || hold.isArmed) }
        return hold.isArmed
      }
      if !isFirst { return }
      inside.signal()
      goOn.wait()
    }
    guard let meeting, let sender = meeting.stage.sender else { return nil }
    defer { meeting.end() }
    let (witness, scheduler, helpers) = (meeting.witness, meeting.stage.scheduler, Helpers())
    let isAsynchronous = isAsynchronous
    let first = Shared((sent: 0, delivered: 0))
    // What it has at once isn't what is sent.
    meeting.subscriber.request(.unlimited)
    hold.withLock { $0.isArmed = true }
    helpers.run {
      for number in 0..<6 where !hold.withLock({ $0.isReached }) {
        first.withLock { $0.sent += 1 }
        sender.send(number, countedBy: nil)
        if isAsynchronous { scheduler.advance(by: .milliseconds(10)) }
      }
      let me = currentThread()
      let delivered = witness.deliveries.count { $0.thread == me && $0.action == 0 }
      first.withLock { $0.delivered = delivered }
      inside.signal()
    }
    inside.wait()
    if !hold.withLock({ $0.isReached }) { return nil }
    let sent = first.withLock { $0.sent }
    let (others, sentByOthers) = (Helpers(), Shared(0))
    others.run {
      for number in sent..<sent + count {
        sender.send(number, countedBy: nil)
        sentByOthers.withLock { $0 += 1 }
      }
      sender.complete(isFailure: false)
    }
    guard others.wait(whileChanging: { sentByOthers.withLock { $0 } }) else {
      goOn.signal()
      return "The other thread had to wait."
    }
    goOn.signal()
    guard helpers.wait(whileChanging: { witness.deliveries.count }) else { return "The first thread did not return." }
    // The tasks that go on may wait for a thread as long as other tests keep them all.
    HandOver.settle()
    if isAsynchronous {
      // Who goes on with what is sent may have something scheduled.
      for _ in 0..<20 where !witness.isOver {
        HandOver.settle()
        scheduler.advance(by: 100)
      }
    }
    let expected = serially(sent + count, slowly: sent)
    let isComparable = traits.isDisjoint(with: [.dependsOnTiming, .dropsValues]) && kind == .operator
    let lost = dropped()
    let mustEnd = expected.last == "finished"
    let isAll = witness.waits(for: mustEnd && !isComparable || lost > 0 ? .max : isComparable ? expected.count : 0)
    // On a scheduler, what one action delivers counts; and one value may become several.
    let bound = 256 * max(1, expected.count / (sent + count))
    let actions = Dictionary(grouping: witness.deliveries.filter { $0.action > 0 }, by: \.action)
    let most = max(first.withLock { $0.delivered }, actions.values.map(\.count).max() ?? 0)
    if most > bound + 1 { return "Its call made \(most) deliveries. It should return after \(bound) at most." }
    if let fault = witness.fault { return fault }
    let texts = witness.texts
    if isComparable {
      // What an upstream dropped for lack of demand is missing, and nothing else.
      var rest = texts[...]
      let missing = expected.filter { text in
        let isNext = rest.first == text
        if isNext { rest.removeFirst() }
        return !isNext
      }
      if let unexpected = rest.first { return "\(unexpected) comes out of its order." }
      if missing.count > lost { return "\(missing.count) values are missing, the first of them is \(missing[0])." }
    }
    return isAll ? nil : "Not all was delivered."
  }

  /// What is delivered if one thread sends.
  ///
  /// Time passes after each of the first ones.
  private func serially(_ count: Int, slowly first: Int) -> [String] {
    guard let meeting = meet(.subject), let sender = meeting.stage.sender else { return [] }
    defer { meeting.end() }
    meeting.subscriber.request(.unlimited)
    for number in 0..<count {
      sender.send(number, countedBy: nil)
      if isAsynchronous, number < first { meeting.stage.scheduler.advance(by: .milliseconds(10)) }
    }
    sender.complete(isFailure: false)
    if isAsynchronous { meeting.stage.scheduler.advance(by: 100) }
    return meeting.witness.texts
  }

  // MARK: C20

  fileprivate func mustNotOverlap(_ feed: Interference.Feed, isFailure: Bool) throws(Rule.Breach) {
    let successors = Successors()
    let helpers = successors.helpers
    let (inside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let main = currentThread()
    let sender = Shared<(any ThreadSender)?>(nil)
    let isLate = Shared(false)
    let reason = Successors.$current.withValue(successors) { () -> String? in
      let meeting = meet(feed, feed == .scripted ? .good : nil) { number in
        guard number == 0 else { return }
        // The upstream that delivers ends from inside its delivery.
        if let delivering = Successors.delivering {
          delivering.end(isFailure: isFailure)
        } else {
          sender.withLock { $0 }?.complete(isFailure: isFailure)
        }
        if currentThread() != main {
          inside.signal()
          goOn.wait()
        }
        if !helpers.wait() { isLate.withLock { $0 = true } }
      }
      guard let meeting else { return nil }
      defer {
        sender.withLock { $0 = nil }
        meeting.end()
      }
      sender.withLock { $0 = meeting.stage.sender }
      let (witness, upstream) = (meeting.witness, meeting.stage.sender)
      meeting.subscriber.request(.unlimited)
      var isHeld = false
      for number in 0..<3 {
        upstream?.send(number, countedBy: nil)
        if isAsynchronous { meeting.stage.scheduler.advance() }
        // Until a successor is inside the subscriber, or has none to deliver to.
        if !isHeld, !helpers.isEmpty, number == 0 {
          isHeld = inside.wait(timeout: .now() + .milliseconds(witness.count == 0 ? 1000 : 0)) == .success
        }
      }
      upstream?.complete(isFailure: false)
      if isAsynchronous { meeting.stage.scheduler.advance(by: 100) }
      // What has been started meanwhile has come to where the subscriber is occupied.
      goOn.signal()
      goOn.signal()
      if !helpers.wait() || isLate.withLock({ $0 }) { return "A thread that delivers had to wait for another." }
      if isAsynchronous { meeting.stage.scheduler.advance(by: 100) }
      return witness.fault
    }
    guard let reason else { return }
    throw breach(
      [
        "The upstream \(isFailure ? "fails" : "finishes") from inside its delivery. "
          + (feed == .subject ? "It is a PassthroughSubject." : "It is a publisher of a user's."),
        "The next one delivers on another thread immediately.",
      ], reason)
  }

  // MARK: C21

  /// Two threads deliver at once: while one is inside the subscriber, and while it is in each piece of user code.
  fileprivate func mustSurviveThreads() throws(Rule.Breach) {
    let plain = delivering(at: nil)
    for (ordinal, name) in plain.places {
      let outcome = delivering(at: ordinal)
      let lines = [
        "The upstream delivers on one thread, which is inside \(name).", "It delivers on another thread as well.",
      ]
      if let reason = outcome.fault { throw breach(lines, reason) }
      if outcome.hasActed, outcome.violations == 0 { throw breach(lines, "No violation was reported.") }
    }
  }

  private struct Outcome {
    var places: [(Int, String)] = []
    var fault: String?
    var violations = 0
    var hasActed = false
  }

  private func delivering(at ordinal: Int?) -> Outcome {
    var outcome = Outcome()
    let interference = Interference(feed: .scripted)
    ReportLog.collecting { log in
      Interference.$current.withValue(interference) {
        let stage = Stage(manner: .plain, conduct: .good)
        stage.freeManner = .rude
        build(stage)
        let witness = Witness()
        guard let subscriber = stage.attachWitness?(witness), let sender = stage.sender else { return }
        let helpers = Helpers()
        // In the subscriber, too.
        witness.onDelivery = { _ in UserCode.runs("receive(_:) of a subscriber") }
        subscriber.request(.unlimited)
        if isAsynchronous { stage.scheduler.advance() }
        interference.target = ordinal
        interference.action = {
          // A value of the upstream's own may be released when its call has returned.
          outcome.hasActed = Successors.delivering != nil
          if !outcome.hasActed { return }
          helpers.run { sender.send(3, countedBy: nil) }
          if !helpers.wait() { outcome.fault = "The other thread had to wait." }
        }
        interference.stage = stage
        for number in 0..<3 {
          stage.trace.step += 1
          sender.send(number, countedBy: nil)
          if isAsynchronous { stage.scheduler.advance(by: .milliseconds(10)) }
        }
        interference.stage = nil
        sender.complete(isFailure: false)
        if isAsynchronous { stage.scheduler.advance(by: 100) }
        outcome.fault = outcome.fault ?? witness.fault
        outcome.violations = log.count(of: .violation)
        subscriber.letGo()
        stage.forget()
      }
    }
    // The second and the last of each name: the first may only begin what the others change.
    var ordinals: [String: [Int]] = [:]
    for (ordinal, place) in interference.places.enumerated() where place.step > 0 {
      ordinals[place.name, default: []].append(ordinal)
    }
    outcome.places = ordinals.flatMap { name, all in Set(all.prefix(2) + all.suffix(1)).map { ($0, name) } }
      .sorted { $0.0 < $1.0 }
    return outcome
  }

  /// The upstream sends without demand, after its completion, without and with a second subscription.
  fileprivate func mustSurviveRules() throws(Rule.Breach) {
    try mustReport("1.1", ["The upstream sends 2 values without demand."], .rude, demand: .none) { stage, sender in
      guard stage.upstreamDemand?() == Subscribers.Demand.none else { return false }
      sender.send(0, countedBy: nil)
      sender.send(1, countedBy: nil)
      return true
    }
    try mustReport("1.7", ["The upstream sends a value after its completion."], .rude) { _, sender in
      sender.send(0, countedBy: nil)
      sender.complete(isFailure: false)
      sender.send(1, countedBy: nil)
      return true
    }
    try mustReport("1.7", ["The upstream completes twice."], .rude) { _, sender in
      sender.send(0, countedBy: nil)
      sender.complete(isFailure: false)
      sender.complete(isFailure: true)
      return true
    }
    try mustReport("1.9", ["The upstream sends a second subscription."], .rude) { stage, sender in
      sender.send(0, countedBy: nil)
      stage.subscribeAgain?()
      sender.send(1, countedBy: nil)
      return true
    }
    try mustReport("1.9", ["The upstream sends a value before a subscription."], .withoutSubscription) { _, sender in
      sender.send(0, countedBy: nil)
      return true
    }
  }

  private func mustReport(
    _ rule: String, _ lines: [String], _ manner: FreeManner, demand: Subscribers.Demand = .unlimited,
    _ breakRule: (Stage, any ThreadSender) -> Bool
  ) throws(Rule.Breach) {
    var reason: String?
    ReportLog.collecting { log in
      guard let meeting = meet(.scripted, manner), let sender = meeting.stage.sender else { return }
      defer { meeting.end() }
      meeting.witness.allowsUnexpected = rule == "1.1" || manner == .withoutSubscription
      if demand > .none { meeting.subscriber.request(demand) }
      let isBroken = breakRule(meeting.stage, sender)
      if isAsynchronous { meeting.stage.scheduler.advance(by: 100) }
      if let fault = meeting.witness.fault { reason = fault }
      if reason == nil, isBroken, log.count(of: .violation) == 0 {
        reason = "It breaks rule \(rule), and no violation was reported."
      }
    }
    if let reason { throw breach(lines, reason) }
  }
}
#endif

import Weir

// Re-entry from user code on one thread, and what is left when all is over.
extension Rule {
  static let reentry = Rule(
    "C15", "Wherever it calls user code, that may send, complete, request, cancel and subscribe: one after the other.",
    for: .publishers
  ) { (bench) throws(Breach) in
    try bench.reenter(fromReleases: false)
  }

  static let reentryOnRelease = Rule(
    "C16", "The deinit of whatever it releases may send, complete, request, cancel and subscribe: one after the other.",
    for: .publishers
  ) { (bench) throws(Breach) in
    try bench.reenter(fromReleases: true)
  }

  static let releasesItself = Rule(
    "C17", "After the completion and after a cancel, its own objects are released.", for: .publishers
  ) { (bench) throws(Breach) in
    for (manner, ending) in bench.endings { try bench.mustBeGone(after: ending, manner) }
  }
}

// MARK: - Re-entry

/// A run with a nested action in it.
private struct NestedRun {
  let run: Run
  let places: [Interference.Place]
  /// Whether the action was possible.
  let hasActed: Bool
  /// A subject drops what comes without demand, and a nested value may come before the demand.
  let hasDropped: Bool
}

extension Bench {
  /// The scripts in which user code acts.
  private var nestingScripts: [[Step]] {
    let scripts: [[Step]] =
      switch kind {
      case .publisher: [[.requestUnlimited], [.request(1), .request(2), .requestUnlimited], [.request(1), .cancel]]
      case .operator, .subject, .subscriber:
        [
          [.requestUnlimited, .send, .send, .send, .finish], [.requestUnlimited, .send, .send, .fail],
          [.request(2), .send, .send, .cancel],
        ]
      }
    if !isAsynchronous { return scripts }
    return scripts.map { script in
      script.flatMap { step -> [Step] in step.isSending || step == .request(1) ? [step, .wait] : [step] }
    }
  }

  private var nestedActions: [NestedAction] {
    NestedAction.all.filter { action in
      switch action {
      case .send, .finish: kind != .publisher
      case .fail: kind != .publisher && canFail
      case .subscribe: !traits.contains(.servesOne)
      case .cancel, .request: true
      }
    }
  }

  fileprivate func reenter(fromReleases: Bool) throws(Rule.Breach) {
    let breach = ReportLog.collecting { log -> Rule.Breach? in
      do throws(Rule.Breach) { try reenter(fromReleases: fromReleases, log) } catch { return error }
      return nil
    }
    if let breach { throw breach }
  }

  private func reenter(fromReleases: Bool, _ log: ReportLog) throws(Rule.Breach) {
    for feed in kind == .operator ? [Interference.Feed.scripted, .subject] : [.scripted] {
      for script in nestingScripts {
        let plain = nested(script, feed, log)
        var serial: [Serial: [String]] = [:]
        for (ordinal, place) in targets(among: plain.places, fromReleases: fromReleases) {
          for action in nestedActions {
            let nested = nested(script, feed, log, action: action, at: ordinal)
            // How often `==` is called differs from run to run, if values are hashed.
            let place = nested.places.indices.contains(ordinal) ? nested.places[ordinal] : place
            var reason = nested.run.breaksRules
            if reason == nil, nested.hasActed, !nested.hasDropped,
              let step = comparableStep(place, in: script, feed, action)
            {
              let key = Serial(step: step, action: action)
              let expected =
                serial[key]
                ?? (action == .cancel ? plain : self.nested(script, feed, log, action: action, after: step))
                .run.deliveries
              serial[key] = expected
              reason = compare(nested.run.deliveries, with: expected, isPrefix: action == .cancel)
            }
            guard let reason else { continue }
            let upstream = feed == .subject ? " The upstream is a PassthroughSubject." : ""
            let line = "Inside \(place.name), in step \(place.step + 1), user code \(action.text).\(upstream)"
            throw Rule.Breach(lines: [line] + nested.run.lines, length: script.count, reason: reason)
          }
        }
      }
    }
  }

  private struct Serial: Hashable {
    let step: Int
    let action: NestedAction
  }

  /// The places that are tried: for each name the first, the second and the last.
  private func targets(
    among places: [Interference.Place], fromReleases: Bool
  ) -> [(ordinal: Int, place: Interference.Place)] {
    var ordinals: [String: [Int]] = [:]
    for (ordinal, place) in places.enumerated() where place.isRelease == fromReleases {
      ordinals[place.name, default: []].append(ordinal)
    }
    let chosen = ordinals.values.flatMap { all in Set(all.prefix(2) + all.suffix(1)) }
    return chosen.sorted().map { ($0, places[$0]) }
  }

  /// The step after which the action gives the same, done on its own; `nil` if there is no such step.
  ///
  /// What a request leads to depends on when it is made, and a nested action comes before time passes.
  private func comparableStep(
    _ place: Interference.Place, in script: [Step], _ feed: Interference.Feed, _ action: NestedAction
  ) -> Int? {
    guard script.indices.contains(place.step - 1), script[place.step - 1].isSending else { return nil }
    if !traits.isDisjoint(with: [.dependsOnTiming, .dropsValues]) { return nil }
    // The scripted upstream sends to its last subscriber alone.
    if action == .subscribe, feed == .scripted, kind == .operator { return nil }
    return place.step
  }

  private func compare(_ texts: [String], with expected: [String], isPrefix: Bool) -> String? {
    if isPrefix ? expected.starts(with: texts) : texts == expected { return nil }
    func list(_ texts: [String]) -> String { texts.isEmpty ? "nothing" : texts.joined(separator: ", ") }
    let order = isPrefix ? "Without the cancel it is" : "One after the other it is"
    return "The subscriber received \(list(texts)). \(order) \(list(expected))."
  }

  /// Runs a script in which user code acts at a place, or the script acts after a step.
  private func nested(
    _ script: [Step], _ feed: Interference.Feed, _ log: ReportLog, action: NestedAction? = nil,
    at ordinal: Int? = nil, after step: Int? = nil
  ) -> NestedRun {
    let dropped = log.count(of: .droppedValue)
    let interference = Interference(feed: feed)
    var hasActed = false
    let run = Interference.$current.withValue(interference) { () -> Run in
      let stage = Stage(manner: .plain, conduct: .good)
      build(stage)
      interference.stage = stage
      interference.target = ordinal
      interference.action = { [weak stage] in
        if let action, let stage { hasActed = action.perform(on: stage) }
      }
      var texts = ["subscribe"]
      stage.subscribe()
      for next in script {
        stage.trace.step += 1
        texts.append(next.text(value: stage.upstream?.nextValue ?? "", sender: sender))
        _ = stage.perform(next)
        if stage.trace.step == step { _ = action?.perform(on: stage) }
      }
      if isAsynchronous {
        stage.trace.step += 1
        texts.append("100 s pass")
        stage.scheduler.advance(by: 100)
      }
      return Run(
        bench: self, script: script, manner: .plain, conduct: .good, events: stage.trace.events, texts: texts,
        pendingCount: stage.scheduler.pendingCount)
    }
    return NestedRun(
      run: run, places: interference.places, hasActed: hasActed, hasDropped: log.count(of: .droppedValue) > dropped)
  }
}

extension Run {
  /// The first of the rules that hold for nested actions too, and is broken.
  fileprivate var breaksRules: String? {
    let rules: [Rule] = [.neverMoreThanAsked, .nothingAfterTheEnd, .nothingAfterCancel, .subscriptionFirst]
    for rule in rules {
      if let reason = rule.judge(self) { return "\(reason) (Rule \(rule.number).)" }
    }
    return nil
  }
}

extension Step {
  /// Whether the upstream sends something.
  var isSending: Bool { self == .send || self == .finish || self == .fail }
}

// MARK: - Release

extension Bench {
  fileprivate var endings: [(SubscriberManner, [Step])] {
    let plain: [[Step]] =
      kind == .publisher
      ? [[.requestUnlimited], [.request(1), .cancel], [.cancel]]
      : [
        [.requestUnlimited, .send, .send, .finish], [.requestUnlimited, .send, .fail],
        [.requestUnlimited, .send, .cancel], [.cancel], [.request(1), .send, .send, .send, .cancel],
        [.request(1), .send, .send, .send, .finish], [.send, .send, .finish, .cancel],
      ]
    return plain.map { (.plain, $0) } + [
      (.cancelsInside, [.requestUnlimited, .send]), (.cancelsInSubscription, [.requestUnlimited, .send]),
    ]
  }

  fileprivate func mustBeGone(after ending: [Step], _ manner: SubscriberManner) throws(Rule.Breach) {
    for feed in kind == .operator ? [Interference.Feed.scripted, .subject] : [.scripted] {
      var remains: String?
      func perform() {
        Interference.$current.withValue(Interference(feed: feed)) {
          let stage = Stage(manner: manner, conduct: .good)
          build(stage)
          if kind == .subject, let other = stage.attach?(Trace(), .plain) {
            // What a subject makes for its first subscriber may be its own.
            other.cancel()
            other.letGo()
            stage.noteFeed()
          }
          stage.subscribe()
          if isAsynchronous { stage.scheduler.advance() }
          for step in ending { _ = stage.perform(step) }
          if isAsynchronous { stage.scheduler.advance(by: 100) }
          if !stage.trace.events.contains(where: { $0.what == .cancels || $0.what.isCompletion }) { return }
          weak let subscription = (stage.subscriber?.subscription).map { $0 as AnyObject }
          stage.forget()
          #if DEBUG
          if let scope = LiveObjects.scope, scope.count > stage.objectsOfFeed {
            remains = "These objects are still there: \(scope.description)."
          }
          #endif
          // A subscription that all share isn't the operator's own.
          if remains == nil, let subscription, "\(subscription)" != "Empty" {
            remains = "The subscription is still there: \(subscription)."
          }
          withExtendedLifetime(stage) {}
        }
      }
      #if DEBUG
      LiveObjects.$scope.withValue(LiveObjects.Scope()) { perform() }
      #else
      perform()
      #endif
      guard let remains else { continue }
      let upstream = feed == .subject ? " The upstream is a PassthroughSubject." : ""
      throw Rule.Breach(
        run: run(ending, manner: manner),
        reason: remains + upstream + " The upstream is kept, the publisher and the subscriber are not.")
    }
  }
}

import Weir

/// One new instance of the tested object, between a scripted upstream and a scripted subscriber.
final class VerificationHarness {
  let trace = Trace()
  let scheduler = VirtualTimeScheduler()
  let conduct: UpstreamBehavior
  let manner: SubscriberBehavior
  /// The sender; `nil` for a publisher, which sends by itself.
  var upstream: (any UpstreamHandle)?
  /// Attaches a subscriber that writes into a trace; `nil` if the tested object is a subscriber.
  var attach: ((Trace, SubscriberBehavior) -> any SubscriberHandle)?
  /// Subscribes with a sink.
  var sink: (() -> AnyCancellable)?
  /// Attaches the tested object to the upstream, if it is a subscriber; the result cancels it.
  var start: (() -> (() -> Void)?)?

  #if !WEIR_BARE
  /// Several concurrent threads, which replace the script.
  var concurrentRun: ConcurrentRun?
  /// Attaches the crowd's subscriber.
  var attachToCrowd: (() -> any ConcurrentParticipant)?
  /// Makes the crowd's upstream send this many values, and the completion.
  var sendAll: ((Int) -> Void)?
  /// Whether a rule sends through ``sender`` on any thread, instead of the crowd's upstream.
  var sendsOnThreads = false
  var sender: (any ThreadSender)?
  #endif

  var subscriber: (any SubscriberHandle)?
  /// The subscribers that user code has attached during a call.
  var others: [any SubscriberHandle] = []
  private var cancelThing: (() -> Void)?
  /// All attached subscribers.
  let attached = Shared<[WeakSubscriber]>([])
  /// Whether the end of the harness breaks the cycles in which a script without an end leaves the tested object.
  ///
  /// After another script, this would hide that the tested object keeps a cycle.
  var breaksCycles = true

  init(manner: SubscriberBehavior, conduct: UpstreamBehavior) {
    self.manner = manner
    self.conduct = conduct
  }

  deinit {
    if breaksCycles {
      // A subject retains a subscriber that has neither cancelled nor received a completion.
      for subscriber in attachedSubscribers { subscriber.subscription?.cancel() }
      upstream?.releaseSubscribers()
      scheduler.removeAll()
    }
    releaseNeighbors()
  }

  private var attachedSubscribers: [any SubscriberHandle] { attached.withLock { $0 }.compactMap(\.subscriber) }

  /// Releases the subscribers, and the subscriptions of all neighbors.
  func releaseNeighbors() {
    for subscriber in attachedSubscribers { subscriber.releaseSubscription() }
    let before = (subscriber, others, cancelThing)
    (subscriber, others, cancelThing) = (nil, [], nil)
    withExtendedLifetime(before) {}
    upstream?.releaseSubscriptions()
  }

  func subscribe() {
    if manner == .sendsInside { sendDuringFirstValue() }
    subscriber = attach?(trace, manner)
    cancelThing = start?()
  }

  private func sendDuringFirstValue() {
    trace.onArrival = { [unowned self] arrival, _ in
      guard arrival == .value else { return }
      trace.onArrival = { _, _ in }
      upstream?.perform(.send)
    }
  }

  /// Returns `false` if the step is not possible now, or would break a rule that the run must not break.
  func perform(_ step: Step) -> Bool {
    switch step {
    case .request(let count): return request(.max(count))
    case .requestUnlimited: return request(.unlimited)
    case .cancel:
      if let cancelThing {
        trace.note(.cancels)
        cancelThing()
        trace.note(.cancelReturned)
        return true
      }
      guard let subscriber, subscriber.subscription != nil else { return false }
      subscriber.cancel()
    case .send, .finish, .fail, .sendSubscription:
      guard let upstream, upstream.allows(step) else { return false }
      upstream.perform(step)
    case .wait:
      if scheduler.pendingCount == 0 { return false }
      scheduler.advance(by: 10)
    }
    return true
  }

  private func request(_ demand: Subscribers.Demand) -> Bool {
    guard let subscriber, subscriber.subscription != nil else { return false }
    subscriber.request(demand)
    return true
  }
}

/// A reference to an attached subscriber.
struct WeakSubscriber {
  weak var subscriber: (any SubscriberHandle)?
}

/// The tested object, and how to attach it to a harness.
struct VerificationTarget {
  enum Kind: Hashable {
    case `operator`, publisher, subject, subscriber
  }

  let kind: Kind
  let name: String
  let traits: VerificationTraits
  var isAsynchronous = false
  var canFail = true
  var canCancel = true
  /// The number of multithreaded rounds, because races are nondeterministic.
  var rounds = 0
  let build: (VerificationHarness) -> Void

  /// The name of a type without its generic arguments.
  static func name(of type: Any.Type) -> String {
    String(String(describing: type).prefix { $0 != "<" })
  }

  var sender: String { kind == .subject ? "caller" : "upstream" }

  /// Runs a script on a new harness; `nil` if one of its steps is not possible.
  ///
  /// Then 100 s pass, or as much time as pending actions need. `before` runs before the subscription, and `prepare` after
  /// it.
  func run(
    _ script: [Step], manner: SubscriberBehavior = .plain, conduct: UpstreamBehavior = .good,
    untilIdle: Bool = false, preparing prepare: (VerificationHarness) -> Void = { _ in },
    before: (VerificationHarness) -> Void = { _ in }
  ) -> Run? {
    let harness = VerificationHarness(manner: manner, conduct: conduct)
    build(harness)
    before(harness)
    harness.subscribe()
    prepare(harness)
    var texts = ["subscribe"]
    for step in script {
      harness.trace.step += 1
      texts.append(step.text(value: harness.upstream?.nextValue ?? "", sender: sender))
      guard harness.perform(step) else { return nil }
    }
    if isAsynchronous {
      harness.trace.step += 1
      texts.append(untilIdle ? "time passes" : "100 s pass")
      harness.scheduler.advance(by: 100)
      // An action that repeats itself is never idle.
      if untilIdle { try? harness.scheduler.run(limit: 10_000) }
    }
    return Run(
      target: self, script: script, manner: manner, conduct: conduct, events: harness.trace.events, texts: texts,
      pendingCount: harness.scheduler.pendingCount)
  }
}

/// A script that was run, and its events.
struct Run {
  let target: VerificationTarget
  let script: [Step]
  let manner: SubscriberBehavior
  let conduct: UpstreamBehavior
  let events: [Trace.Event]
  let texts: [String]
  /// The number of actions that were pending at the end.
  let pendingCount: Int

  var traits: VerificationTraits { target.traits }

  /// The script with the events of each step.
  var lines: [String] {
    let width = texts.map(\.count).max() ?? 0
    var lines = manner.text.map { [$0] } ?? []
    for (step, text) in texts.enumerated() {
      let effects = events.filter { $0.step == step }.compactMap { event -> String? in
        // The script already shows these events.
        switch event.what {
        case .cancels, .asks:
          let isScripted = step > 0 && event.what.isRequestOrCancel && scripts(step)
          return isScripted && firstIndex(of: step) == events.firstIndex(of: event) ? nil : event.what.text
        default: return event.what.text
        }
      }
      if step > script.count, effects.isEmpty { continue }
      let padding = String(repeating: " ", count: width - text.count)
      let shown = effects.count > 8 ? effects.prefix(6) + ["and \(effects.count - 6) more"] : effects
      lines.append(effects.isEmpty ? text : text + padding + " → " + shown.joined(separator: ", "))
    }
    return lines
  }

  private func firstIndex(of step: Int) -> Int? { events.firstIndex { $0.step == step } }

  /// Whether the script requests or cancels in this step.
  func scripts(_ step: Int) -> Bool {
    guard step > 0, step <= script.count else { return false }
    switch script[step - 1] {
    case .request, .requestUnlimited, .cancel: return true
    case .send, .finish, .fail, .sendSubscription, .wait: return false
    }
  }
}

extension Trace.What {
  var isRequestOrCancel: Bool {
    switch self {
    case .asks, .cancels: true
    default: false
    }
  }
}

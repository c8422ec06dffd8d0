import Weir

@testable import TestSupport

/// A publisher of 1, 2, 3 and a completion, as a program writes it without the library's help.
final class TrialPublisher: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  /// How it is written: all kinds but the first and the last break a rule.
  enum Kind: String, CaseIterable, Sendable {
    /// It sends within the demand, and keeps every rule.
    case keepsRules
    /// It sends everything inside `receive(subscriber:)`, after its subscription.
    case ignoresDemand
    /// It sends everything later, and never a subscription.
    case neverSubscribes
    /// It sends everything inside `receive(subscriber:)`, and never a subscription.
    case neverSubscribesInside
    /// It sends a second subscription after the first value.
    case twoSubscriptions
    /// It completes twice.
    case endsTwice
    /// It sends a value and a failure after its completion.
    case sendsAfterEnd
    /// It ignores the demand that a value returns.
    case ignoresReturned
    /// It has only a weak reference to its subscriber.
    case keepsWeakly
    /// Its subscription is the empty one, and the values come later.
    case empty
    /// Its `cancel()` does nothing.
    case cancelDoesNothing
    /// Its `cancel()` sends a value and a completion.
    case cancelSends
    /// It is a subject of the program's own.
    case ownSubject
  }

  private let kind: Kind
  private let log: TrialLog
  private let subject = TrialSubject()
  private var connections: [Connection] = []
  private var isPlayed = false

  init(_ kind: Kind, _ log: TrialLog) {
    self.kind = kind
    self.log = log
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    if kind == .ownSubject { return subject.receive(subscriber: subscriber) }
    let connection =
      kind == .keepsWeakly ? Connection(kind, log, weakly: subscriber) : Connection(kind, log, subscriber)
    connections.append(connection)
    switch kind {
    case .neverSubscribes: break
    case .neverSubscribesInside: connection.sendAll()
    case .empty: subscriber.receive(subscription: Subscriptions.empty)
    case .ignoresDemand:
      subscriber.receive(subscription: connection)
      connection.sendAll()
    default: subscriber.receive(subscription: connection)
    }
    if isPlayed { play(connection) }
  }

  /// Sends what it sends later.
  func play() {
    isPlayed = true
    if kind == .ownSubject {
      for value in 1...3 { subject.send(value) }
      subject.send(completion: .finished)
    }
    for connection in connections { play(connection) }
  }

  private func play(_ connection: Connection) {
    switch kind {
    case .keepsRules, .ignoresDemand, .ignoresReturned, .neverSubscribesInside: break
    default: connection.sendAll()
    }
  }

  /// A subscriber, and its subscription.
  private final class Connection: Subscription {
    private let kind: Kind
    private let log: TrialLog
    private let begin: (any Subscription) -> Void
    private let next: (Int) -> Subscribers.Demand
    private let end: (Subscribers.Completion<TestError>) -> Void
    private var demand = Subscribers.Demand.none
    private var last = 0
    private var isSending = false
    private var isTerminated = false

    init<S: Subscriber>(_ kind: Kind, _ log: TrialLog, _ subscriber: S) where S.Input == Int, S.Failure == TestError {
      (self.kind, self.log) = (kind, log)
      begin = { subscriber.receive(subscription: $0) }
      next = { subscriber.receive($0) }
      end = { subscriber.receive(completion: $0) }
    }

    init<S: Subscriber>(
      _ kind: Kind, _ log: TrialLog, weakly subscriber: S
    ) where S.Input == Int, S.Failure == TestError {
      weak let object = subscriber as AnyObject
      // Unwraps the reference first, because an optimized build by Swift 6.3 crashes when it casts an optional
      // `AnyObject` without a value to `S`.
      let find: () -> S? = { object.flatMap { $0 as? S } }
      (self.kind, self.log) = (kind, log)
      begin = { find()?.receive(subscription: $0) }
      next = { find()?.receive($0) ?? .none }
      end = { find()?.receive(completion: $0) }
    }

    /// Whether a cancel makes it stop.
    private var stops: Bool { ![.cancelDoesNothing, .cancelSends].contains(kind) }

    func sendAll() {
      for value in 1...3 {
        if isTerminated, stops { return }
        _ = next(value)
        if value == 1, kind == .twoSubscriptions { begin(Second(log)) }
      }
      if isTerminated, stops { return }
      end(.finished)
      if kind == .endsTwice { end(.finished) }
      if kind == .sendsAfterEnd {
        _ = next(4)
        end(.failure(.oops))
      }
    }

    func request(_ more: Subscribers.Demand) {
      guard kind == .keepsRules || kind == .ignoresReturned else { return }
      demand += more
      if isSending { return }
      isSending = true
      while demand > .none, last < 3, !isTerminated {
        demand -= 1
        last += 1
        let returned = next(last)
        if kind == .keepsRules { demand += returned }
      }
      isSending = false
      if last == 3, !isTerminated {
        isTerminated = true
        end(.finished)
      }
    }

    func cancel() {
      let isFirst = !isTerminated
      if kind != .cancelDoesNothing { isTerminated = true }
      guard kind == .cancelSends, isFirst else { return }
      _ = next(9)
      end(.finished)
    }
  }

  private final class Second: Subscription {
    private let log: TrialLog

    init(_ log: TrialLog) {
      self.log = log
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() { log.add("-S") }
  }
}

/// A subject that a program wrote.
private final class TrialSubject: Subject {
  typealias Output = Int
  typealias Failure = TestError

  private final class Member: Subscription {
    var subscriber: AnySubscriber<Int, TestError>?
    var demand = Subscribers.Demand.none

    init(_ subscriber: AnySubscriber<Int, TestError>) {
      self.subscriber = subscriber
    }

    func request(_ more: Subscribers.Demand) { demand += more }

    func cancel() { subscriber = nil }
  }

  private var members: [Member] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    let member = Member(AnySubscriber(subscriber))
    members.append(member)
    subscriber.receive(subscription: member)
  }

  func send(_ value: Int) {
    for member in members where member.demand > .none {
      member.demand -= 1
      if let more = member.subscriber?.receive(value) { member.demand += more }
    }
  }

  func send(completion: Subscribers.Completion<TestError>) {
    for member in members {
      let subscriber = member.subscriber.take()
      subscriber?.receive(completion: completion)
    }
  }

  func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

/// What the end of a pipeline sees: `S` for a subscription, `-S` for the cancellation of a second one, values, `.` for
/// a finish, `!` and the error for a failure.
final class TrialLog {
  private(set) var events: [String] = []

  var text: String { events.joined(separator: " ") }

  func add(_ event: String) { events.append(event) }

  func add(_ value: some Any) { add("\(value)".filter { $0 != " " }) }

  func add<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: add(".")
    case .failure(let error): add("!\(error)")
    }
  }
}

import Testing
import Weir

@testable import TestSupport

/// Publishers as programs have them, most of which break a rule, in front of operators that pass 1, 2, 3 on unchanged.
///
/// An operator without a state of its own passes on what comes after the end or a cancel, as in Combine: the subscriber is told.
@Suite("publishers that a program wrote")
struct HandWrittenPublisherTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let operation: Operator
    let kind: Kind
    var testDescription: String { "\(kind) in front of \(operation.testDescription)" }

    static func all(
      _ operations: [Operator] = Operator.all, where isIncluded: (Operator, Kind) -> Bool
    ) -> [Case] {
      operations.flatMap { operation in
        Kind.allCases.filter { isIncluded(operation, $0) }.map { Case(operation: operation, kind: $0) }
      }
    }
  }

  @Test("deliver all values and one completion", arguments: Case.all { !$0.passesOn || !$1.breaksTheEnd })
  func unlimited(_ test: Case) {
    let source = HandWritten(test.kind)
    let recorder = test.operation.make(source.eraseToAnyPublisher()).record(demanding: .unlimited)
    source.play()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(source.secondIsCancelled ?? true)
  }

  @Test(
    "deliver nothing after a cancel",
    arguments: Case.all { !$0.passesOn && [.cancelDoesNothing, .cancelSends].contains($1) })
  func cancelled(_ test: Case) {
    let source = HandWritten(test.kind)
    let recorder = test.operation.make(source.eraseToAnyPublisher()).record(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    source.play()
    #expect(recorder.events == [.subscription, .value(1)])
  }

  // A failure stops the program behind `assertNoFailure`, also one that comes after the end.
  @Test(
    "deliver to a sink what was sent before its end",
    arguments: Case.all([.none] + Operator.all) { operation, kind in
      operation.testDescription != "assertNoFailure" || kind != .sendsAfterCompletion
    })
  func sink(_ test: Case) {
    let source = HandWritten(test.kind)
    var values: [Int] = []
    var ends = 0
    let cancellable = test.operation.make(source.eraseToAnyPublisher()).sink(
      receiveCompletion: { _ in ends += 1 }, receiveValue: { (value: Int) in values.append(value) })
    source.play()
    #expect(values == [1, 2, 3])
    #expect(ends == 1)
    withExtendedLifetime(cancellable) {}
  }

  /// What a hand-written publisher does besides sending 1, 2, 3 and a completion.
  enum Kind: CaseIterable, Sendable {
    /// It sends within the demand, and keeps every rule.
    case keepsRules
    /// It sends everything as soon as it has handed over its subscription, before `receive(subscriber:)` returns.
    case ignoresDemand
    /// Its subscription is the empty one, and the values come later.
    case emptySubscription
    /// It sends a second subscription after the first value.
    case sendsTwoSubscriptions
    /// It completes twice.
    case completesTwice
    /// It sends a value and a failure after its completion.
    case sendsAfterCompletion
    /// Its `cancel()` does nothing.
    case cancelDoesNothing
    /// Its `cancel()` sends a value and a completion.
    case cancelSends
    /// It is a subject of the program's own, to which a pipeline sends.
    case ownSubject

    /// Whether it sends what no publisher may after its subscription or its completion.
    var breaksTheEnd: Bool { [.sendsTwoSubscriptions, .completesTwice, .sendsAfterCompletion].contains(self) }
  }

  /// An operator, set so that it passes everything on.
  struct Operator: CustomTestStringConvertible, Sendable {
    typealias Source = AnyPublisher<Int, TestError>

    let testDescription: String
    let make: @Sendable (Source) -> Source

    /// Whether it hands down the upstream's subscription, and passes on whatever comes.
    let passesOn: Bool

    init(
      _ name: String, passesOn: Bool = false, _ make: @escaping @Sendable (Source) -> any Publisher<Int, TestError>
    ) {
      testDescription = name
      self.passesOn = passesOn
      self.make = { erased(make($0)) }
    }

    static let all = mapping + selecting + combining + timing

    static let none = Operator("no operator") { $0 }

    private static let mapping = [
      Operator("map", passesOn: true) { $0.map { $0 } },
      Operator("map to a key path", passesOn: true) { $0.map(\.self) },
      Operator("tryMap") { $0.tryMap { $0 }.mapError { _ in .oops } },
      Operator("compactMap", passesOn: true) { $0.compactMap { $0 } },
      Operator("tryCompactMap") { $0.tryCompactMap { $0 }.mapError { _ in .oops } },
      Operator("mapError", passesOn: true) { $0.mapError { $0 } },
      Operator("replaceNil", passesOn: true) { $0.map { Optional($0) }.replaceNil(with: 0) },
      Operator("scan", passesOn: true) { $0.scan(0) { $1 } },
      Operator("tryScan") { $0.tryScan(0) { $1 }.mapError { _ in .oops } },
      Operator("replaceEmpty") { $0.replaceEmpty(with: 0) },
      Operator("replaceError") { $0.replaceError(with: 0).setFailureType(to: TestError.self) },
      Operator("assertNoFailure", passesOn: true) { $0.assertNoFailure().setFailureType(to: TestError.self) },
      Operator("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
      Operator("print") { $0.print("", to: Nowhere()) },
      Operator("breakpoint", passesOn: true) { $0.breakpoint(receiveOutput: { _ in false }) },
    ]

    private static let selecting = [
      Operator("filter", passesOn: true) { $0.filter { _ in true } },
      Operator("tryFilter") { $0.tryFilter { _ in true }.mapError { _ in .oops } },
      Operator("removeDuplicates") { $0.removeDuplicates() },
      Operator("tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 == $1 }.mapError { _ in .oops } },
      Operator("prefix") { $0.prefix(9) },
      Operator("prefix that ends it") { $0.prefix(3) },
      Operator("prefix(while:)") { $0.prefix { _ in true } },
      Operator("tryPrefix(while:)") { $0.tryPrefix { _ in true }.mapError { _ in .oops } },
      Operator("dropFirst") { $0.dropFirst(0) },
      Operator("drop(while:)") { $0.drop { _ in false } },
      Operator("tryDrop(while:)") { $0.tryDrop { _ in false }.mapError { _ in .oops } },
      Operator("output(in:)") { $0.output(in: 0...9) },
      Operator("collect by count") { $0.collect(1).map { $0[0] } },
      Operator("collect") { $0.collect().flatMap { $0.publisher.setFailureType(to: TestError.self) } },
      Operator("buffer, kept full") { $0.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest) },
      Operator("buffer, by request") { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) },
    ]

    private static let combining = [
      Operator("append") { $0.append(Empty()) },
      Operator("prepend") { $0.prepend(Empty()) },
      Operator("catch") { $0.catch { _ in Empty() } },
      Operator("tryCatch") { $0.tryCatch { _ in Empty<Int, TestError>() }.mapError { _ in .oops } },
      Operator("retry") { $0.retry(1) },
      Operator("merge") { $0.merge(with: Empty()) },
      Operator("combineLatest") { Just(0).setFailureType(to: TestError.self).combineLatest($0) { $1 } },
      Operator("zip") {
        (1...9).publisher.setFailureType(to: TestError.self).zip($0) { $1 }.prefix(3)
      },
      Operator("flatMap to it") { source in
        Just(0).setFailureType(to: TestError.self).flatMap { _ in source }
      },
      Operator("flatMap") { $0.flatMap { Just($0).setFailureType(to: TestError.self) } },
      Operator("switchToLatest, of it") { Just($0).setFailureType(to: TestError.self).switchToLatest() },
      Operator("switchToLatest") { $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest() },
      Operator("prefix(untilOutputFrom:)") {
        $0.prefix(untilOutputFrom: Empty<Int, TestError>(completeImmediately: false))
      },
      Operator("drop(untilOutputFrom:)") {
        $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self))
      },
      Operator("share") { $0.share() },
      Operator("multicast") { $0.multicast { PassthroughSubject() }.autoconnect() },
    ]

    private static let timing = [
      Operator("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
      Operator("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
      Operator("delay") { $0.delay(for: 0, scheduler: ImmediateScheduler.shared) },
    ]
  }
}

private func erased(_ publisher: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
  publisher.eraseToAnyPublisher()
}

/// Prints nothing.
private struct Nowhere: TextOutputStream {
  mutating func write(_ string: String) {}
}

/// A publisher of 1, 2, 3 and a completion, as a program writes it without the library's help.
final class HandWritten: Publisher {
  typealias Output = Int
  typealias Failure = TestError
  typealias Kind = HandWrittenPublisherTests.Kind

  private let kind: Kind
  private var subscribers: [AnySubscriber<Int, TestError>] = []
  private var second: Inner?
  private let subject = OwnSubject()

  /// Whether a second subscription was cancelled; `nil` if there was none.
  var secondIsCancelled: Bool? { second?.isCancelled }

  init(_ kind: Kind) {
    self.kind = kind
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    switch kind {
    case .ownSubject: subject.receive(subscriber: subscriber)
    case .emptySubscription:
      subscribers.append(AnySubscriber(subscriber))
      subscriber.receive(subscription: Subscriptions.empty)
    default:
      subscribers.append(AnySubscriber(subscriber))
      subscriber.receive(subscription: Inner(kind, AnySubscriber(subscriber)))
      if kind == .ignoresDemand { send(to: AnySubscriber(subscriber)) }
    }
  }

  /// Sends what it has, if it hasn't yet.
  func play() {
    switch kind {
    case .ownSubject:
      for value in 1...3 { subject.send(value) }
      subject.send(completion: .finished)
    case .ignoresDemand: break
    default: for subscriber in subscribers { send(to: subscriber) }
    }
  }

  private func send(to subscriber: AnySubscriber<Int, TestError>) {
    for value in 1...3 {
      _ = subscriber.receive(value)
      if kind == .sendsTwoSubscriptions, value == 1 {
        let second = Inner(kind, subscriber)
        self.second = second
        subscriber.receive(subscription: second)
      }
    }
    subscriber.receive(completion: .finished)
    if kind == .completesTwice { subscriber.receive(completion: .finished) }
    if kind == .sendsAfterCompletion {
      _ = subscriber.receive(4)
      subscriber.receive(completion: .failure(.oops))
    }
  }

  private final class Inner: Subscription {
    private let kind: Kind
    private var subscriber: AnySubscriber<Int, TestError>?
    private(set) var isCancelled = false

    init(_ kind: Kind, _ subscriber: AnySubscriber<Int, TestError>) {
      self.kind = kind
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      isCancelled = true
      guard kind == .cancelSends, let subscriber = subscriber.take() else { return }
      _ = subscriber.receive(9)
      subscriber.receive(completion: .finished)
    }
  }
}

/// A subject that a program wrote.
private final class OwnSubject: Subject {
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

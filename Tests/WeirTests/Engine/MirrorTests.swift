import Testing
import Weir

@testable import TestSupport

/// The mirror children of subscribers and subscriptions, by label and description.
private func parts(of subject: Any?) -> [String] {
  guard let subject else { return ["nothing"] }
  return Mirror(reflecting: subject).children.map { "\($0.label ?? "-"): \($0.value)" }
}

/// Retains its subscriber, as an upstream does.
private final class Keeper: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  private(set) var subscriber: Any?
  private var hand: (any Subscription) -> Void = { _ in }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    self.subscriber = subscriber
    hand = { subscriber.receive(subscription: $0) }
  }

  func sendSubscription() {
    hand(Subscriptions.empty)
  }
}

@Suite("mirrors")
struct MirrorTests {
  /// The mirror children of an operator's subscriber before the subscription, and of its subscription after it.
  private func shown<P: Publisher>(
    demanding demand: Subscribers.Demand = .none, _ operation: (Keeper) -> P
  ) -> (subscriber: [String], subscription: [String]) where P.Output: Equatable & Sendable {
    let keeper = Keeper()
    let recorder = operation(keeper).record(demanding: demand)
    let subscriber = parts(of: keeper.subscriber)
    keeper.sendSubscription()
    return (subscriber, parts(of: recorder.subscription))
  }

  private let recorder = "downstream: Recorder<Int, TestError>"

  @Test("an operator shows its downstream; a subscription that doesn't retain it shows its type")
  func operators() {
    let prefix = shown { (source: Keeper) in source.prefix { (value: Int) -> Bool in value > 0 } }
    #expect(prefix.subscriber == ["downstream: TestSupport.Recorder<Swift.Int, TestSupport.TestError>"])
    #expect(prefix.subscription == [recorder])
    let first = shown { (source: Keeper) in source.first() }
    #expect(first.subscription == [recorder, "result: Int", "initial: Int", "status: live"])
  }

  @Test("state is shown until it can have changed, and its type afterwards")
  func state() {
    let untouched = shown { (source: Keeper) in source.removeDuplicates() }
    #expect(untouched.subscription == [recorder, "last: nil"])
    let asked = shown(demanding: .max(1)) { (source: Keeper) in source.removeDuplicates() }
    #expect(asked.subscription == [recorder, "last: Optional<Int>"])
  }

  @Test("operators without their own subscription show their parameters")
  func settings() {
    let paths = shown { (source: Keeper) in source.map(\.bitWidth) }
    #expect(paths.subscriber.count == 1 && paths.subscriber[0].hasPrefix("keyPath: "))
    let failing = Keeper()
    failing.assertNoFailure("it", file: "file", line: 3).subscribe(Recorder<Int, Never>())
    #expect(parts(of: failing.subscriber) == ["file: file", "line: 3", "prefix: it"])
  }

  @Test("catch shows the requested demand, and collect its count and buffer")
  func demand() {
    let caught = shown(demanding: .max(3)) { (source: Keeper) in source.catch { Fail<Int, TestError>(error: $0) } }
    #expect(caught.subscription == [recorder, "demand: max(3)"])
    let collected = shown { (source: Keeper) in source.collect(3) }
    #expect(
      collected.subscription == [
        "downstream: Recorder<Array<Int>, TestError>", "upstreamSubscription: Empty", "buffer: []", "count: 3",
      ])
  }

  @Test(
    "a mirror shows a machine outside and inside a delivery, without a released downstream")
  func machine() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).record()
    source.send(1)
    source.send(2)
    let expected = ["values: [2]", "state: running", "downstreamDemand: max(0)", "terminal: nil"]
    var inside: [String] = []
    recorder.onValue = { [unowned recorder] _ in
      inside = parts(of: recorder.subscription)
      return .none
    }
    recorder.request(.max(1))
    #expect(inside == expected)
    #expect(parts(of: recorder.subscription) == expected)
  }

  @Test("an upstream that another upstream has sent shows the subscription that it belongs to")
  func opened() throws {
    let keeper = Keeper()
    let recorder = Just(1).setFailureType(to: TestError.self).flatMap { _ in keeper }.record(demanding: .max(1))
    let identifier = try #require(recorder.subscription).combineIdentifier
    #expect(parts(of: keeper.subscriber) == ["parentSubscription: \(identifier)"])
  }

  @Test("a sequence describes its subscription until completion, also during its delivery")
  func sequences() {
    let recorder = [1, 2, 3].publisher.record(demanding: .max(1))
    #expect(recorder.subscription.map { String(describing: $0) } == "[1, 2, 3]")
    #expect(parts(of: recorder.subscription) == ["sequence: [1, 2, 3]"])
    var inside = ""
    recorder.onValue = { [unowned recorder] _ in
      inside = recorder.subscription.map { String(describing: $0) } ?? ""
      return .none
    }
    recorder.request(.max(1))
    #expect(inside == "[1, 2, 3]")
    recorder.request(.max(1))
    #expect(recorder.isFinished)
    #expect(recorder.subscription.map { String(describing: $0) } == "Sequence")
    #expect(parts(of: recorder.subscription) == [])
  }

  @Test("a sequence's description may request its elements, and cancel")
  func describingAsks() {
    final class Asking: Sequence, CustomStringConvertible {
      var ask: () -> Void = {}
      var description: String {
        ask()
        return "asking"
      }
      func makeIterator() -> IndexingIterator<[Int]> { [1, 2].makeIterator() }
    }
    let sequence = Asking()
    let recorder = sequence.publisher.record()
    sequence.ask = { recorder.request(.max(1)) }
    #expect(recorder.subscription.map { String(describing: $0) } == "asking")
    #expect(recorder.events == [.subscription, .value(1)])
    sequence.ask = { recorder.cancel() }
    #expect(recorder.subscription.map { String(describing: $0) } == "asking")
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("a recording's values describe its subscription, which shows the completion")
  func recordings() {
    let recorder = Record<Int, TestError>(output: [1, 2], completion: .failure(.oops)).record()
    #expect(recorder.subscription.map { String(describing: $0) } == "[1, 2]")
    #expect(
      parts(of: recorder.subscription) == ["sequence: [1, 2]", "completion: failure(TestSupport.TestError.oops)"])
  }

  @Test("a dump shows no implementation detail of a subscription")
  func dumps() {
    var text = ""
    dump(Just(42).record().subscription, to: &text)
    #expect(text == "▿ Optional(Just)\n  ▿ some: Just #0\n    - 42\n")
  }

  @Test("a sequence and a recording ignore zero demand, as in Combine")
  func nothingAskedFor() {
    let recorder = [1].publisher.record()
    recorder.request(.none)
    let other = Record<Int, TestError>(output: [1], completion: .finished).record()
    other.request(.none)
    #expect(recorder.events == [.subscription])
    #expect(other.events == [.subscription])
  }

  @Test("a single value is shown until it is delivered")
  func value() {
    let recorder = Just(42).record()
    #expect(parts(of: recorder.subscription) == ["-: 42"])
    recorder.request(.max(1))
    #expect(parts(of: recorder.subscription) == [])
  }

  @Test("a subject's subscription shows the subject and pending values until completion")
  func subject() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.record(demanding: .max(3))
    subject.send(1)
    #expect(
      parts(of: recorder.subscription) == [
        "parent: PassthroughSubject", "downstream: TestSupport.Recorder<Swift.Int, TestSupport.TestError>",
        "demand: max(2)", "subject: PassthroughSubject",
      ])
    subject.send(completion: .finished)
    #expect(parts(of: recorder.subscription) == ["parent: nil", "downstream: nil", "demand: max(2)", "subject: nil"])
  }

  @Test("mirrors during a concurrent delivery lose no value and block no thread")
  func whileDelivering() {
    for _ in 0..<20 {
      let subject = PassthroughSubject<Int, TestError>()
      let sent = subject.record(demanding: .unlimited)
      let buffered = subject.buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropNewest).record(
        demanding: .unlimited)
      let pulled = (0..<1_000).publisher.record()
      race {
        for value in 0..<1_000 { subject.send(value) }
      } _: {
        for _ in 0..<1_000 { pulled.request(.max(1)) }
      } _: {
        for _ in 0..<200 {
          for subscription in [sent.subscription, buffered.subscription, pulled.subscription] {
            _ = subscription.map { Mirror(reflecting: $0).children.count + String(describing: $0).count }
          }
        }
      }
      #expect(sent.values == Array(0..<1_000))
      #expect(buffered.values == Array(0..<1_000))
      #expect(pulled.values == Array(0..<1_000))
    }
  }

  @Test("a future's subscription shows the future until the result is delivered")
  func future() {
    var promise: Future<Int, TestError>.Promise?
    let future = Future<Int, TestError> { promise = $0 }
    let recorder = future.record(demanding: .max(1))
    #expect(
      parts(of: recorder.subscription) == [
        "parent: Weir.Future<Swift.Int, TestSupport.TestError>", recorder.typed, "hasAnyDemand: true",
        "subject: Weir.Future<Swift.Int, TestSupport.TestError>",
      ])
    promise?(.success(1))
    #expect(
      parts(of: recorder.subscription) == ["parent: nil", "downstream: nil", "hasAnyDemand: true", "subject: nil"])
  }
}

extension Recorder {
  /// The description of a subscriber of this type that a subscription doesn't retain.
  fileprivate var typed: String { "downstream: \(Self.self)" }
}

import Testing
import Weir

@testable import TestSupport

@Suite("a hand-written publisher that ignores what receive(_:) returns")
struct DeafPublisherTests {
  /// An operator behind such a publisher.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (Deaf) -> AnyPublisher<Int, Never>
  }

  static let cases = [
    Case(testDescription: "merge") { $0.merge(with: Empty()).eraseToAnyPublisher() },
    Case(testDescription: "switchToLatest") { deaf in Just(deaf).switchToLatest().eraseToAnyPublisher() },
    Case(testDescription: "combineLatest") { $0.combineLatest(Just(0)) { one, _ in one }.eraseToAnyPublisher() },
    Case(testDescription: "prefix(untilOutputFrom:)") {
      $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).eraseToAnyPublisher()
    },
    Case(testDescription: "drop(untilOutputFrom:)") { $0.drop(untilOutputFrom: Just(0)).eraseToAnyPublisher() },
    Case(testDescription: "append") { $0.append(Empty()).eraseToAnyPublisher() },
    Case(testDescription: "catch") {
      $0.setFailureType(to: TestError.self).catch { _ in Empty() }.eraseToAnyPublisher()
    },
    Case(testDescription: "scan") { $0.scan(0) { $1 }.eraseToAnyPublisher() },
    Case(testDescription: "map") { $0.map { $0 }.eraseToAnyPublisher() },
    Case(testDescription: "buffer") {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).prefix(2).append(3...5).eraseToAnyPublisher()
    },
    Case(testDescription: "retry") { $0.retry(1).eraseToAnyPublisher() },
    Case(testDescription: "measureInterval") { deaf in
      deaf.measureInterval(using: ImmediateScheduler.shared).scan(0) { count, _ in count + 1 }.eraseToAnyPublisher()
    },
    Case(testDescription: "replaceEmpty") { $0.replaceEmpty(with: 0).eraseToAnyPublisher() },
  ]

  @Test("is asked when its subscriber requests from inside a delivery", arguments: cases)
  func requestsInside(_ testCase: Case) {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .none
    }
    testCase.make(Deaf()).subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4, 5])
    recorder.cancel()
  }

  @Test("is asked for what is returned where Combine makes a request of it", arguments: cases.suffix(3))
  func returnedDemand(_ testCase: Case) {
    let recorder = testCase.make(Deaf()).record(demanding: .max(1), returning: .max(1))
    #expect(recorder.values == [1, 2, 3, 4, 5])
    recorder.cancel()
  }

  @Test("sends all its values to a task")
  func values() async {
    var values: [Int] = []
    for await value in Deaf().values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
  }

  @Test("returns demand as an answer where its subscriber returns it")
  func answers() {
    let source = ManualPublisher<Int, Never>()
    let recorder = Just(source).switchToLatest().record(demanding: .max(1))
    recorder.onValue = { [unowned recorder] value in
      if value == 1 { recorder.request(.max(2)) }
      return .max(3)
    }
    #expect(source.send(1) == .max(3))
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
    #expect(source.send(2) == .max(3))
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
    recorder.cancel()
  }

  @Test("gets a request from inside its delivery as an answer behind zip and flatMap, as in Combine")
  func requestsAsAnswers() {
    let (left, right) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
    let zipped = Recorder<Int, Never>(demanding: .max(1))
    zipped.onValue = { [unowned zipped] _ in
      zipped.request(.max(5))
      return .none
    }
    left.zip(right).map { one, _ in one }.subscribe(zipped)
    #expect(left.send(1) == .none)
    #expect(right.send(2) == .max(5))
    #expect(left.events == [.requested(.max(1)), .requested(.max(5))])
    #expect(right.events == [.requested(.max(1))])
    zipped.cancel()

    let child = ManualPublisher<Int, Never>()
    let flat = Recorder<Int, Never>(demanding: .max(1))
    flat.onValue = { [unowned flat] _ in
      flat.request(.max(5))
      return .none
    }
    Just(0).flatMap { _ in child }.subscribe(flat)
    #expect(child.send(1) == .max(1))
    #expect(child.events == [.requested(.max(1))])
    flat.cancel()
  }
}

/// Sends 1 to 5, as many as are requested, and ignores what `receive(_:)` returns.
struct Deaf: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Inner(subscriber: subscriber))
  }

  private final class Inner<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var last = 0
    private var isSending = false

    init(subscriber: S) {
      self.subscriber = subscriber
    }

    func request(_ more: Subscribers.Demand) {
      demand += more
      if isSending { return }
      isSending = true
      while demand > .none, last < 5, let subscriber {
        demand -= 1
        last += 1
        _ = subscriber.receive(last)
      }
      isSending = false
      if last == 5 {
        let ended = subscriber.take()
        ended?.receive(completion: .finished)
      }
    }

    func cancel() {
      subscriber = nil
    }
  }
}

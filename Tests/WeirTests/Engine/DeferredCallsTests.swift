import Testing
import Weir

@testable import TestSupport

/// What a subscriber causes inside a call, and what happens only when that call has returned.
@Suite("Deferred calls")
struct DeferredCallsTests {
  typealias Source = ManualPublisher<Int, TestError>

  typealias Erased = AnyPublisher<Int, TestError>

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let build: @Sendable (Source) -> Erased

    init(_ name: String, _ build: @escaping @Sendable (Source) -> Erased) {
      testDescription = name
      self.build = build
    }
  }

  static var ones: Erased { [1, 1].publisher.setFailureType(to: TestError.self).eraseToAnyPublisher() }

  static let requesting = [
    Case("zip") { _ in ones.zip(ones).map { $0 + $1 }.eraseToAnyPublisher() },
    Case("buffer") { _ in ones.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher() },
    Case("receive(on:)") { _ in ones.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
    Case("delay") { _ in ones.delay(for: 1, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher() },
  ]

  @Test("values that a subscriber requests inside its subscription follow that call", arguments: requesting)
  func requests(_ operation: Case) {
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      log.append("subscribed")
    }
    recorder.onValue = { _ in
      log.append("value")
      return .none
    }
    operation.build(Source()).subscribe(recorder)
    #expect(log == ["subscribed", "value"])
  }

  static let following = [
    Case("append") { source in source.append(ones).eraseToAnyPublisher() },
    Case("catch") { source in source.catch { _ in ones }.eraseToAnyPublisher() },
    Case("tryCatch") { source in source.tryCatch { _ in ones }.mapError { _ in TestError.oops }.eraseToAnyPublisher() },
    Case("retry") { source in
      var attempts = 0
      return Deferred { () -> Erased in
        attempts += 1
        return attempts == 1 ? source.eraseToAnyPublisher() : ones
      }.retry(1).eraseToAnyPublisher()
    },
  ]

  @Test(
    "the next publisher is subscribed to after the subscription in which the first terminates", arguments: following)
  func follows(_ operation: Case) {
    let source = Source()
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      source.send(completion: operation.testDescription == "append" ? .finished : .failure(.oops))
      log.append("subscribed")
    }
    recorder.onValue = { _ in
      log.append("value")
      return .none
    }
    operation.build(source).subscribe(recorder)
    #expect(log == ["subscribed", "value"])
  }

  static let forwarding = [
    Case("zip") { source in source.zip(Source()).map { $0 + $1 }.eraseToAnyPublisher() },
    Case("throttle") { source in
      source.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true).eraseToAnyPublisher()
    },
    Case("prefix(untilOutputFrom:)") { source in source.prefix(untilOutputFrom: Source()).eraseToAnyPublisher() },
    Case("switchToLatest") { source in
      Just(0).setFailureType(to: TestError.self).map { _ in source }.switchToLatest().eraseToAnyPublisher()
    },
  ]

  @Test(
    "a request inside the subscription, or inside a delivery, reaches the upstream afterwards", arguments: forwarding)
  func forwards(_ operation: Case) {
    let source = Source()
    let recorder = Recorder<Int, TestError>()
    var inside: [Int] = []
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      inside.append(source.events.count)
    }
    recorder.onValue = { _ in
      recorder.request(.max(1))
      inside.append(source.events.count)
      return .none
    }
    operation.build(source).subscribe(recorder)
    #expect(inside == [0])
    #expect(source.events.count == 1)
    source.send(1)
    if operation.testDescription.hasPrefix("prefix") || operation.testDescription == "switchToLatest" {
      #expect(inside == [0, 1])
      #expect(source.events.count == 2)
    }
  }

  static let cancelling = [
    Case("flatMap") { source in source.flatMap { _ in ones }.eraseToAnyPublisher() },
    Case("switchToLatest") { source in source.map { _ in ones }.switchToLatest().eraseToAnyPublisher() },
    Case("zip") { source in source.zip(ones).map { $0 + $1 }.eraseToAnyPublisher() },
    Case("merge") { source in source.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher() },
    Case("buffer") { source in source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    },
  ]

  @Test("a cancel inside a delivery reaches the upstream after the delivery", arguments: cancelling)
  func cancels(_ operation: Case) {
    let source = Source()
    var isCancelledInside = true
    let recorder = operation.build(source).record(demanding: .unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      isCancelledInside = source.isCancelledOnce
      return .none
    }
    source.send(1)
    #expect(!isCancelledInside)
    #expect(source.isCancelledOnce)
    #expect(recorder.values.count == 1)
  }

  static let asking = [
    Case("retry") { _ in shared.retry(1).eraseToAnyPublisher() },
    Case("measureInterval") { _ in
      shared.measureInterval(using: ImmediateScheduler.shared).map { _ in 1 }.eraseToAnyPublisher()
    },
    Case("receive(on:)") { _ in shared.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
    Case("drop(untilOutputFrom:)") { _ in shared.drop(untilOutputFrom: ones).eraseToAnyPublisher() },
  ]

  /// It sends all its values inside the first request, and drops those for which there is no demand.
  static var shared: Publishers.Share<Publishers.SetFailureType<Publishers.Sequence<[Int], Never>, TestError>> {
    [1, 1, 1, 1].publisher.setFailureType(to: TestError.self).share()
  }

  @Test("demand that a delivery brings inside a request is requested after it", arguments: asking)
  func requestsInsideRequest(_ operation: Case) {
    let recorder = operation.build(Source()).record()
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .none
    }
    recorder.request(.max(1))
    #expect(recorder.values.count == 1)
    #expect(recorder.isFinished)
  }

  @Test("a current value that is sent inside the first delivery follows it, if that returns demand")
  func currentValue() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { $0.request(.max(1)) }
    recorder.onValue = { value in
      if value == 0 { subject.send(1) }
      return value == 0 ? .max(1) : .none
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [0, 1])
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("switchToLatest")
struct SwitchToLatestTests {
  typealias Source = ManualPublisher<Int, TestError>

  let outer = ManualPublisher<Source, TestError>()
  let a = Source()
  let b = Source()

  @Test("forwards the values of the latest publisher, and cancels the previous one")
  func switches() {
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    #expect(outer.events == [.requested(.unlimited)])
    #expect(outer.send(a) == .none)
    a.send(1)
    outer.send(b)
    a.send(2)
    b.send(3)
    #expect(recorder.events == [.subscription, .value(1), .value(3)])
    #expect(a.events == [.requested(.unlimited), .cancelled])
    #expect(b.events == [.requested(.unlimited)])
  }

  @Test("doesn't subscribe to a publisher after the completion")
  func nothingAfterTheEnd() {
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    outer.send(completion: .finished)
    outer.send(a)
    #expect(a.subscribers.isEmpty)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("cancels the previous one even if its subscription is late")
  func lateSubscription() {
    let slow = Source(subscribing: false)
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    outer.send(slow)
    outer.send(b)
    slow.sendSubscription()
    slow.send(1)
    b.send(2)
    #expect(slow.events == [.cancelled])
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("requests outstanding demand from each, including returned demand")
  func demand() {
    let recorder = outer.switchToLatest().record()
    outer.send(a)
    #expect(a.events == [])
    recorder.request(.max(2))
    #expect(a.events == [.requested(.max(2))])
    recorder.onValue = { _ in .max(3) }
    #expect(a.send(1) == .max(3))
    outer.send(b)
    #expect(b.events == [.requested(.max(4))])
  }

  @Test("finishes when the outer publisher and the latest have")
  func finishes() {
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    outer.send(a)
    a.send(completion: .finished)
    outer.send(b)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    b.send(1)
    b.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(b.events == [.requested(.unlimited)])
  }

  @Test("finishes with the outer publisher when none has been opened")
  func finishesEmpty() {
    let recorder = outer.switchToLatest().record()
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("doesn't subscribe to a publisher that is replaced while its predecessor is cancelled")
  func replacedBeforeSubscribing() {
    let outer = PassthroughSubject<Int, Never>()
    var events: [String] = []
    let switched = outer.map { (number: Int) -> AnyPublisher<Int, Never> in
      CurrentValueSubject<Int, Never>(number).handleEvents(
        receiveSubscription: { (_: any Subscription) -> Void in events.append("subscribe \(number)") },
        receiveCancel: {
          events.append("cancel \(number)")
          if number == 1 { outer.send(3) }
        }
      ).eraseToAnyPublisher()
    }.switchToLatest()
    let recorder = switched.record(demanding: .max(2))
    outer.send(1)
    outer.send(2)
    #expect(events == ["subscribe 1", "cancel 1", "subscribe 3"])
    #expect(recorder.values == [1, 3])
  }

  @Test("ignores the failure of a replaced publisher")
  func staleFailure() {
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    outer.send(a)
    outer.send(b)
    a.send(completion: .failure(.oops))
    b.send(1)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("switches during a delivery of the previous publisher")
  func switchInside() {
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        outer.send(b)
        a.send(2)
        b.send(3)
      }
      return .none
    }
    outer.send(a)
    a.send(1)
    b.send(4)
    #expect(recorder.values.first == 1)
    #expect(recorder.values.last == 4)
    #expect(a.isCancelledOnce)
    #expect(b.events == [.requested(.unlimited)])
  }

  @Test("synchronous publishers each send all their values, unless they are replaced")
  func synchronous() {
    let all = [[1, 2].publisher, [3, 4].publisher].publisher.switchToLatest()
    #expect(all.record(demanding: .unlimited).values == [1, 2, 3, 4])
    let some = all.record(demanding: .max(1))
    #expect(some.values == [1])
    some.request(.unlimited)
    #expect(some.values == [1, 3, 4])
    #expect(some.isFinished)
    #expect([(1...).publisher].publisher.switchToLatest().prefix(3).record(demanding: .unlimited).values == [1, 2, 3])
  }

  @Test("100,000 synchronous publishers don't grow the stack")
  func stack() {
    onAnotherThread {
      let switched = (1...100_000).lazy.publisher.map { (n: Int) -> Just<Int> in Just(n) }.switchToLatest()
      var sum = 0
      let cancellable = switched.sink { sum += $0 }
      #expect(sum == 5_000_050_000)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("accepts failing publishers from one that can't fail, and vice versa")
  func failures() {
    let canFail = Just(a).switchToLatest().record(demanding: .unlimited)
    a.send(1)
    a.send(completion: .failure(.oops))
    #expect(canFail.events == [.subscription, .value(1), .failed(.oops)])
    #expect(Just(Just(1)).switchToLatest().record(demanding: .unlimited).values == [1])
    let source = Source()
    let outer = source.map { (n: Int) -> Just<Int> in Just(n) }
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(outer.switchToLatest().record().subscription.map { String(describing: $0) } == "SwitchToLatest")
  }

  @Test("cancels the previous publisher before the value of a scalar one")
  func scalar() {
    var log: [String] = []
    let outer = PassthroughSubject<Int, Never>()
    let waiting = Empty<Int, Never>(completeImmediately: false).handleEvents(receiveCancel: { log.append("cancelled") })
    let subscription = outer.map { (value: Int) -> AnyPublisher<Int, Never> in
      value == 0 ? waiting.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.switchToLatest().sink { log.append("\($0)") }
    for value in [0, 1, 0, 2] { outer.send(value) }
    #expect(log == ["cancelled", "1", "cancelled", "2"])
    subscription.cancel()
  }
}

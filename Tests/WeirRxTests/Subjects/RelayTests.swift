import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("relays")
struct RelayTests {
  @Test("a passthrough relay sends to subscribers with demand")
  func passthrough() {
    let relay = PassthroughRelay<Int>()
    let all = relay.record(demanding: .unlimited)
    let one = relay.record(demanding: .max(1))
    for value in 1...2 { relay.accept(value) }
    #expect(all.events == [.subscription, .value(1), .value(2)])
    #expect(one.events == [.subscription, .value(1)])
  }

  @Test("a current value relay stores the latest value")
  func currentValue() {
    let relay = CurrentValueRelay(1)
    let all = relay.record(demanding: .unlimited)
    let late = relay.record()
    relay.accept(2)
    relay.value = 3
    late.request(.max(1))
    #expect(relay.value == 3)
    #expect(all.events == [.subscription, .value(1), .value(2), .value(3)])
    #expect(late.events == [.subscription, .value(3)])
  }

  @Test("a replay relay replays its last values")
  func replay() {
    let relay = ReplayRelay<Int>(bufferSize: 2)
    for value in 1...3 { relay.accept(value) }
    let recorder = relay.record(demanding: .max(1))
    relay.accept(4)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(2), .value(3), .value(4)])
  }

  @Test("describe themselves by their own names")
  func names() {
    let subscriptions = [
      PassthroughRelay<Int>().record().subscription, CurrentValueRelay(1).record().subscription,
      ReplayRelay<Int>().record().subscription,
    ]
    #expect(
      subscriptions.map { $0.map { String(describing: $0) } } == [
        "PassthroughRelay", "CurrentValueRelay", "ReplayRelay",
      ])
  }

  @Test("a publisher feeds a relay, which does not complete with it")
  func subscribe() {
    let source = ManualPublisher<Int, Never>()
    let relay = PublishRelay<Int>()
    let recorder = relay.record(demanding: .unlimited)
    let connection = source.subscribe(relay)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(completion: .finished)
    relay.accept(2)
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    withExtendedLifetime(connection) {}
  }

  @Test("a publisher feeds a relay until the result is released")
  func unsubscribe() {
    let source = ManualPublisher<Int, Never>()
    let relay = BehaviorRelay(0)
    do {
      let connection = source.subscribe(relay)
      source.send(1)
      withExtendedLifetime(connection) {}
    }
    source.send(2)
    #expect(source.isCancelledOnce)
    #expect(relay.value == 1)
  }

  @Test("release a subscriber at its cancellation")
  func releases() {
    let relay = PassthroughRelay<Int>()
    #expect(
      isReleased { token in
        let cancellable = relay.sink { _ in withExtendedLifetime(token) {} }
        relay.accept(1)
        cancellable.cancel()
      })
  }

  @Test("send an event without a value")
  func void() {
    let relay = PassthroughRelay<Void>()
    var count = 0
    let cancellable = relay.sink { count += 1 }
    relay.accept()
    #expect(count == 1)
    withExtendedLifetime(cancellable) {}
  }
}

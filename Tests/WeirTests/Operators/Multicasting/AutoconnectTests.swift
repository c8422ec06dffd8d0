import Testing
import Weir

@testable import TestSupport

@Suite("autoconnect")
struct AutoconnectTests {
  let source = ManualPublisher<Int, TestError>()

  func shared()
    -> Publishers.Autoconnect<
      Publishers.Multicast<ManualPublisher<Int, TestError>, PassthroughSubject<Int, TestError>>
    >
  {
    source.multicast(subject: PassthroughSubject()).autoconnect()
  }

  @Test("disconnects an upstream that is still sending inside the connection")
  func leavesWhileConnecting() {
    var sent = 0
    let source = (1...1000).publisher.handleEvents(receiveOutput: { _ in sent += 1 })
    let multicast = source.multicast { PassthroughSubject() }.autoconnect().prefix(2).record(demanding: .unlimited)
    #expect(multicast.events == [.subscription, .value(1), .value(2), .finished])
    #expect(sent == 2)
    let connectable = source.makeConnectable().autoconnect().prefix(3).record(demanding: .unlimited)
    #expect(connectable.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(sent == 5)
  }

  @Test("connects with the first subscriber and disconnects when the last has cancelled")
  func counts() {
    let shared = shared()
    #expect(source.subscribers.isEmpty)
    let first = shared.record(demanding: .unlimited)
    let second = shared.record(demanding: .unlimited)
    #expect(source.subscribers.count == 1)
    source.send(1)
    first.cancel()
    first.cancel()
    source.send(2)
    #expect(source.events == [.requested(.unlimited)])
    second.cancel()
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
  }

  @Test("connects again for a subscriber that attaches after the last has cancelled")
  func reconnects() {
    let shared = shared()
    shared.record(demanding: .unlimited).cancel()
    let recorder = shared.record(demanding: .unlimited)
    #expect(source.subscribers.count == 2)
    source.send(1, to: 0)
    source.send(2, to: 1)
    #expect(recorder.events == [.subscription, .value(2)])
    recorder.cancel()
    #expect(source.subscriptions.map { $0.isCancelled } == [true, true])
  }

  @Test("a subscriber that cancels immediately disconnects its connection")
  func cancelAtOnce() {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    let shared = shared()
    shared.subscribe(recorder)
    #expect(recorder.events == [.subscription])
    #expect(source.subscriptions.allSatisfy { $0.isCancelled })
    let next = shared.record(demanding: .unlimited)
    source.send(1, to: source.subscribers.count - 1)
    #expect(next.events == [.subscription, .value(1)])
  }

  @Test("forwards the completion, also to later subscribers, and doesn't cancel the upstream")
  func ends() {
    let shared = shared()
    let recorder = shared.record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(shared.record(demanding: .unlimited).events == [.subscription, .failed(.oops)])
    recorder.cancel()
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("a synchronous upstream reaches the first subscriber")
  func synchronous() {
    let shared = [1, 2].publisher.multicast(subject: PassthroughSubject()).autoconnect()
    #expect(shared.record(demanding: .unlimited).events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("a cancellation during a delivery disconnects")
  func cancelInside() {
    let recorder = shared().record(demanding: .unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(source.isCancelledOnce)
  }

  @Test("has its upstream's name")
  func name() {
    #expect(shared().record().subscription.map { String(describing: $0) } == "Multicast")
  }

  @Test("concurrent subscriptions and cancellations leave no connection")
  func races() {
    for _ in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, TestError>()
      let connections = LiveCount()
      let shared = subject.handleEvents(
        receiveSubscription: { _ in connections.add(1) }, receiveCancel: { connections.add(-1) }
      ).multicast(subject: PassthroughSubject()).autoconnect()
      let comeAndGo: () -> Void = {
        for _ in 0..<3 { shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel() }
      }
      race(comeAndGo, comeAndGo)
      #expect(connections.value == 0)
    }
  }

  @Test("connects once, also if a subscriber subscribes again when it receives its subscription")
  func connectsOnce() {
    let shared = shared()
    let first = Recorder<Int, TestError>()
    let second = Recorder<Int, TestError>()
    first.onSubscription = { _ in shared.subscribe(second) }
    shared.subscribe(first)
    #expect(second.events == [.subscription])
    #expect(source.subscribers.count == 1)
    first.cancel()
    #expect(!source.subscriptions[0].isCancelled)
    second.cancel()
    #expect(source.subscriptions[0].isCancelled)
  }
}

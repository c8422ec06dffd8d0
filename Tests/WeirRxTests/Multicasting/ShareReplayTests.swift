import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("share(replay:scope:)")
struct ShareReplayTests {
  let source = ManualPublisher<Int, TestError>()

  static let both: [ShareScope] = [.whileConnected, .forever]

  @Test("serves all subscribers with one subscription, and replays the last values", arguments: both)
  func shares(_ scope: ShareScope) {
    let shared = source.share(replay: 2, scope: scope)
    #expect(source.subscribers.isEmpty)
    let first = shared.record(demanding: .unlimited)
    for value in 1...3 { source.send(value) }
    let second = shared.record(demanding: .max(1))
    source.send(4)
    second.request(.unlimited)
    #expect(first.values == [1, 2, 3, 4])
    #expect(second.values == [2, 3, 4])
    #expect(source.subscribers.count == 1)
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("cancels an upstream that is still sending inside its subscription", arguments: both)
  func leavesWhileConnecting(_ scope: ShareScope) {
    var sent = 0
    let shared = (1...1000).publisher.handleEvents(receiveOutput: { _ in sent += 1 }).share(replay: 1, scope: scope)
    let recorder = shared.prefix(2).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(sent == 2)
  }

  @Test("does not connect for a subscriber that cancels during its subscription", arguments: both)
  func leavesAtOnce(_ scope: ShareScope) {
    let shared = source.share(replay: 2, scope: scope)
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    shared.subscribe(recorder)
    #expect(source.subscribers.isEmpty)
    let other = shared.record(demanding: .unlimited)
    source.send(1)
    #expect(other.values == [1])
    #expect(source.subscribers.count == 1)
  }

  @Test("cancels with the last subscriber, and connects again, with or without the kept values", arguments: both)
  func reconnects(_ scope: ShareScope) throws {
    let shared = source.share(replay: 2, scope: scope)
    let (first, second) = (shared.record(demanding: .unlimited), shared.record(demanding: .unlimited))
    source.send(1)
    first.cancel()
    #expect(!source.subscriptions[0].isCancelled)
    second.cancel()
    #expect(source.isCancelledOnce)
    let third = shared.record(demanding: .unlimited)
    try #require(source.subscribers.count == 2)
    source.send(2, to: 1)
    #expect(third.values == (scope == .forever ? [1, 2] : [2]))
    third.cancel()
    #expect(source.subscriptions.map { $0.isCancelled } == [true, true])
  }

  @Test("a subscriber after the completion receives it with the kept values, or connects again", arguments: both)
  func ends(_ scope: ShareScope) throws {
    let shared = source.share(replay: 1, scope: scope)
    let first = shared.record(demanding: .unlimited)
    for value in 1...2 { source.send(value) }
    source.send(completion: .failure(.oops))
    #expect(first.events == [.subscription, .value(1), .value(2), .failed(.oops)])
    first.cancel()
    let late = shared.record(demanding: .unlimited)
    switch scope {
    case .forever:
      #expect(late.events == [.subscription, .value(2), .failed(.oops)])
      #expect(source.subscribers.count == 1)
    case .whileConnected:
      #expect(late.events == [.subscription])
      try #require(source.subscribers.count == 2)
      source.send(3, to: 1)
      #expect(late.events == [.subscription, .value(3)])
    }
    #expect(!source.isCancelledOnce)
  }

  @Test("a subscriber that resubscribes during the completion connects again, so retry works")
  func retries() throws {
    let recorder = source.share(replay: 1).retry(1).record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    try #require(source.subscribers.count == 2)
    source.send(2, to: 1)
    source.send(completion: .finished, to: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("the completion is pending for a slow subscriber, also after a new connection")
  func lagging() throws {
    let shared = source.share(replay: 2)
    let slow = shared.record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    let next = shared.record(demanding: .unlimited)
    slow.request(.unlimited)
    #expect(slow.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    slow.cancel()
    try #require(source.subscribers.count == 2)
    source.send(4, to: 1)
    #expect(next.events == [.subscription, .value(4)])
    #expect(!source.subscriptions[1].isCancelled)
  }

  @Test("keeps no values for a count of zero")
  func nothingKept() {
    let shared = source.share(replay: 0)
    let first = shared.record(demanding: .unlimited)
    source.send(1)
    let second = shared.record(demanding: .unlimited)
    source.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [2])
  }

  @Test("a synchronous upstream reaches the first subscriber, and its kept values reach later ones")
  func synchronous() {
    let shared = (1...5).publisher.share(replay: 2, scope: .forever)
    #expect(shared.record(demanding: .unlimited).values == [1, 2, 3, 4, 5])
    #expect(shared.record(demanding: .unlimited).events == [.subscription, .value(4), .value(5), .finished])
  }

  @Test("a subscriber that cancels immediately disconnects its connection", arguments: both)
  func cancelAtOnce(_ scope: ShareScope) {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    let shared = source.share(replay: 1, scope: scope)
    shared.subscribe(recorder)
    #expect(recorder.events == [.subscription])
    #expect(source.subscriptions.allSatisfy { $0.isCancelled })
    let next = shared.record(demanding: .unlimited)
    source.send(1, to: source.subscribers.count - 1)
    #expect(next.events == [.subscription, .value(1)])
  }

  @Test("describes itself by its own name")
  func name() {
    let recorder = source.share(replay: 1).record()
    #expect(recorder.subscription.map { String(describing: $0) } == "ShareReplay")
  }

  @Test("releases everything at completion, at cancellation and with the last cancellable", arguments: both)
  func releases(_ scope: ShareScope) {
    for ending in Ending.allCases {
      let subject = PassthroughSubject<Int, TestError>()
      #expect(
        isReleased { token in
          let shared = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
            .share(replay: 1, scope: scope)
          let recorder = shared.record(demanding: .unlimited)
          ending.happen(to: subject, recorder)
        }, "\(ending)")
      #expect(
        isReleased { token in
          let shared = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
            .share(replay: 1, scope: scope)
          _ = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        })
    }
  }

  @Test("concurrent subscriptions and cancellations leave no connection", arguments: both)
  func races(_ scope: ShareScope) {
    for _ in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, TestError>()
      let connections = LiveCount()
      let shared = subject.handleEvents(
        receiveSubscription: { _ in connections.add(1) }, receiveCancel: { connections.add(-1) }
      ).share(replay: 1, scope: scope)
      let comeAndGo: () -> Void = {
        for _ in 0..<3 { shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel() }
      }
      race(comeAndGo, comeAndGo)
      #expect(connections.value == 0)
    }
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("share")
struct ShareTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("serves all subscribers with one subscription, each by its own demand")
  func shares() {
    let shared = source.share()
    let all = shared.record(demanding: .unlimited)
    source.send(1)
    let one = shared.record(demanding: .max(1))
    let none = shared.record()
    source.send(2)
    source.send(3)
    source.send(completion: .finished)
    #expect(source.subscribers.count == 1)
    #expect(source.events == [.requested(.unlimited)])
    #expect(all.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(one.events == [.subscription, .value(2), .finished])
    #expect(none.events == [.subscription, .finished])
  }

  @Test("runs its upstream once for all subscribers")
  func runsOnce() {
    var runs = 0
    let shared = source.map { (value: Int) -> Int in
      runs += 1
      return value
    }.share()
    let recorders = (0..<3).map { _ in shared.record(demanding: .unlimited) }
    source.send(1)
    #expect(runs == 1)
    #expect(recorders.map { $0.values } == [[1], [1], [1]])
  }

  @Test("cancels the upstream when the last subscriber has cancelled, and subscribes again for the next")
  func leaves() {
    let shared = source.share()
    let (first, second) = (shared.record(demanding: .unlimited), shared.record(demanding: .unlimited))
    first.cancel()
    #expect(!source.subscriptions[0].isCancelled)
    second.cancel()
    #expect(source.isCancelledOnce)
    let third = shared.record(demanding: .unlimited)
    source.send(1, to: 1)
    #expect(third.events == [.subscription, .value(1)])
  }

  @Test("cancels an upstream that is still sending inside its subscription")
  func leavesWhileConnecting() {
    var sent = 0
    let recorder = (1...1000).publisher.handleEvents(receiveOutput: { _ in sent += 1 }).share().prefix(2)
      .record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(sent == 2)
  }

  @Test("fails for all subscribers, also later ones")
  func fails() {
    let shared = source.share()
    let recorder = shared.record()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(shared.record().events == [.subscription, .failed(.oops)])
    #expect(source.subscribers.count == 1)
  }

  @Test("is equal only to itself")
  func equality() {
    let shared = source.share()
    #expect(shared == shared)
    #expect(shared != source.share())
  }

  @Test("releases everything at completion, at cancellation and with the last cancellable")
  func releases() {
    for ending in Ending.allCases {
      let subject = PassthroughSubject<Int, TestError>()
      #expect(
        isReleased { token in
          let shared = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.share()
          let recorder = shared.record(demanding: .unlimited)
          ending.happen(to: subject, recorder)
        }, "\(ending)")
      #expect(
        isReleased { token in
          let shared = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.share()
          _ = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        })
    }
  }
}

import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("flatMapLatest, flatMapFirst and concatMap")
struct MappingToPublishersTests {
  typealias Source = ManualPublisher<Int, TestError>

  let outer = Source()
  let inner = [Source(), Source(), Source()]

  @Test("flatMapLatest cancels the previous publisher and requests the outstanding demand from the next")
  func latest() {
    let recorder = outer.flatMapLatest { (n: Int) -> Source in inner[n] }.record(demanding: .max(3))
    #expect(outer.events == [.requested(.unlimited)])
    outer.send(0)
    inner[0].send(1)
    outer.send(1)
    inner[0].send(2)
    inner[1].send(3)
    #expect(inner[0].events == [.requested(.max(3)), .cancelled])
    #expect(inner[1].events == [.requested(.max(2))])
    outer.send(completion: .finished)
    inner[1].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(3), .finished])
  }

  @Test("flatMapLatest accepts publishers that can't fail, as upstream and inner publishers")
  func latestFailures() {
    let never = [1, 2].lazy.publisher
    #expect(never.flatMapLatest { (n: Int) in Just(n) }.record(demanding: .unlimited).values == [1, 2])
    let failing = never.flatMapLatest { (_: Int) in Fail<Int, TestError>(error: .oops) }
    #expect(failing.record(demanding: .unlimited).events == [.subscription, .failed(.oops)])
    #expect(outer.flatMapLatest { (n: Int) in Just(n) }.record(demanding: .unlimited).events == [.subscription])
  }

  @Test("values that flatMapLatest's closure sends follow the value that it was called with")
  func latestReenters() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.flatMapLatest { (n: Int) -> Source in
      if n == 0 {
        subject.send(1)
        subject.send(completion: .finished)
      }
      return inner[n]
    }.record(demanding: .unlimited)
    subject.send(0)
    #expect(inner[0].events == [.requested(.unlimited), .cancelled])
    #expect(inner[1].events == [.requested(.unlimited)])
    inner[1].send(7)
    inner[1].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("a cancellation in flatMapLatest's closure starts no more publishers")
  func latestCancels() {
    let subject = PassthroughSubject<Int, TestError>()
    var recorder: Recorder<Int, TestError>?
    recorder = subject.flatMapLatest { (n: Int) -> Source in
      recorder?.cancel()
      return inner[n]
    }.record(demanding: .unlimited)
    subject.send(0)
    #expect(inner[0].events.allSatisfy { $0 == .cancelled })
    #expect(recorder?.events == [.subscription])
  }

  @Test("flatMapFirst delivers within the demand, and ignores values while one is pending")
  func firstDemand() {
    let publisher = [1, 2, 3].lazy.publisher.flatMapFirst { (n: Int) in [n, n * 10].lazy.publisher }
    let expected = publisher.record(demanding: .unlimited).events
    #expect(expected == [.subscription] + [1, 10, 2, 20, 3, 30].map { .value($0) } + [.finished])
    let slow = publisher.record()
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1)])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1), .value(10), .finished])
  }

  @Test("flatMapFirst ignores values while those of a finished publisher wait for demand")
  func firstWithoutDemand() {
    var asked: [Int] = []
    let recorder = outer.flatMapFirst { (n: Int) -> Publishers.Sequence<[Int], TestError> in
      asked.append(n)
      return [n].publisher.setFailureType(to: TestError.self)
    }.record()
    for value in 0..<10 { outer.send(value) }
    #expect(asked == [0])
    recorder.request(.max(2))
    #expect(recorder.values == [0])
    for value in 10..<20 { outer.send(value) }
    #expect(recorder.values == [0, 10])
    #expect(asked == [0, 10, 11])
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(0), .value(10)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(0), .value(10), .value(11), .finished])
    #expect(outer.events == [.requested(.unlimited)])
  }

  @Test("flatMapFirst maps each value that a subject sends in one delivery after the previous publisher has finished")
  func firstBehindSubject() {
    let shared = [1, 2, 3].publisher.share()
    #expect(shared.flatMapFirst { (n: Int) in Just(n) }.record(demanding: .unlimited).values == [1, 2, 3])
    let subject = PassthroughSubject<Int, Never>()
    let nested = subject.sink { (n: Int) in if n == 1 { subject.send(2) } }
    let recorder = subject.flatMapFirst { (n: Int) in Just(n) }.record(demanding: .unlimited)
    subject.send(1)
    #expect(recorder.values == [2, 1])
    withExtendedLifetime(nested) {}
  }

  @Test("flatMapFirst ignores values while a publisher is active, and doesn't call the closure for them")
  func first() {
    var asked: [Int] = []
    let recorder = outer.flatMapFirst { (n: Int) -> Source in
      asked.append(n)
      return inner[n]
    }.record(demanding: .unlimited)
    #expect(outer.events == [.requested(.unlimited)])
    outer.send(0)
    outer.send(1)
    inner[0].send(7)
    inner[0].send(completion: .finished)
    outer.send(2)
    inner[2].send(8)
    #expect(asked == [0, 2])
    outer.send(completion: .finished)
    #expect(!recorder.isFinished)
    inner[2].send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(7), .value(8), .finished])
  }

  @Test("flatMapFirst fails with either publisher, and cancellation reaches both")
  func firstEnds() {
    let failed = outer.flatMapFirst { (n: Int) -> Source in inner[n] }.record(demanding: .unlimited)
    outer.send(0)
    inner[0].send(completion: .failure(.oops))
    #expect(failed.events == [.subscription, .failed(.oops)])
    #expect(outer.isCancelledOnce)
    let other = Source()
    let cancelled = other.flatMapFirst { (n: Int) -> Source in inner[n] }.record(demanding: .unlimited)
    other.send(1)
    cancelled.cancel()
    #expect(other.isCancelledOnce)
    #expect(inner[1].isCancelledOnce)
  }

  @Test("flatMapFirst never runs two publishers concurrently, whichever threads send and complete")
  func firstRace() {
    for _ in 0..<Effort.rounds(200) {
      let source = PassthroughSubject<Int, Never>()
      let (running, runs) = (LiveCount(), LiveCount())
      let end = PassthroughSubject<Int, Never>()
      let cancellable = source.flatMapFirst { (_: Int) -> AnyPublisher<Int, Never> in
        running.add(1)
        runs.add(1)
        #expect(running.value == 1)
        return end.first().handleEvents(receiveCompletion: { _ in running.add(-1) }).eraseToAnyPublisher()
      }.sink { _ in }
      race({ for value in 0..<20 { source.send(value) } }, { for value in 0..<20 { end.send(value) } })
      #expect(runs.value >= 1)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("concatMap requests the next value when the previous publisher has finished")
  func concat() {
    let recorder = outer.concatMap { (n: Int) -> Source in inner[n] }.record(demanding: .unlimited)
    #expect(outer.events == [.requested(.max(1))])
    outer.send(0)
    inner[0].send(1)
    #expect(outer.events == [.requested(.max(1))])
    inner[0].send(completion: .finished)
    #expect(outer.events == [.requested(.max(1)), .requested(.max(1))])
    outer.send(1)
    inner[1].send(2)
    outer.send(completion: .finished)
    inner[1].send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.oops)])
  }

  @Test("concatMap accepts publishers that can't fail, as upstream and inner publishers")
  func concatFailures() {
    let never = [1, 2].lazy.publisher
    #expect(never.concatMap { (n: Int) in Just(n) }.record(demanding: .unlimited).values == [1, 2])
    let failing = never.concatMap { (_: Int) in Fail<Int, TestError>(error: .oops) }
    #expect(failing.record(demanding: .unlimited).events == [.subscription, .failed(.oops)])
    #expect(outer.concatMap { (n: Int) in Just(n) }.record(demanding: .unlimited).events == [.subscription])
  }
}

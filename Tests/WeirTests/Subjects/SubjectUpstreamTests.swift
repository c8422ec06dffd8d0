import Testing
import Weir

@testable import TestSupport

/// The upstream subscriptions that a subject retains.
@Suite("a subject's upstreams")
struct SubjectUpstreamTests {
  /// A user's subject, which records the subscriptions that it forwards without retaining them.
  final class Forwarding: Subject {
    typealias Output = Int
    typealias Failure = TestError

    struct Seen {
      weak var subscription: AnyObject?
    }

    let inner = PassthroughSubject<Int, TestError>()
    /// Subjects that also receive the subscriptions.
    let others: [PassthroughSubject<Int, TestError>]
    private(set) var seen: [Seen] = []

    init(others: Int = 0) {
      self.others = (0..<others).map { _ in PassthroughSubject() }
    }

    /// The subscriptions that are still alive.
    var kept: [Int] { seen.indices.filter { seen[$0].subscription != nil } }

    func send(_ value: Int) { inner.send(value) }

    func send(completion: Subscribers.Completion<TestError>) {}

    func send(subscription: any Subscription) {
      seen.append(Seen(subscription: subscription as AnyObject))
      inner.send(subscription: subscription)
      for other in others { other.send(subscription: subscription) }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      inner.receive(subscriber: subscriber)
    }
  }

  private func end(_ source: ManualPublisher<Int, TestError>, _ cancellable: AnyCancellable, _ ending: Ending) {
    switch ending {
    case .finish: source.send(completion: .finished)
    case .failure: source.send(completion: .failure(.oops))
    case .cancel: cancellable.cancel()
    }
  }

  @Test(
    "releases an upstream that has completed, failed or been cancelled",
    arguments: Ending.allCases, [true, false])
  func forgets(_ ending: Ending, _ isAsked: Bool) {
    let subject = Forwarding()
    let recorder = isAsked ? subject.record(demanding: .unlimited) : nil
    let source = ManualPublisher<Int, TestError>()
    let cancellable = source.subscribe(subject)
    #expect(subject.kept == [0])
    end(source, cancellable, ending)
    source.releaseSubscribers()
    // The program retains the rest.
    withExtendedLifetime(cancellable) {}
    _ = consume cancellable
    #expect(subject.kept == [])
    withExtendedLifetime(recorder) {}
  }

  @Test("several subjects release an upstream that they share", arguments: Ending.allCases)
  func severalSubjects(_ ending: Ending) {
    let subject = Forwarding(others: 2)
    let source = ManualPublisher<Int, TestError>()
    let cancellable = source.subscribe(subject)
    #expect(subject.kept == [0])
    end(source, cancellable, ending)
    source.releaseSubscribers()
    _ = consume cancellable
    #expect(subject.kept == [])
  }

  @Test("releases an upstream that completes during its request")
  func forgetsAtOnce() {
    let subject = Forwarding()
    let recorder = subject.record(demanding: .unlimited)
    for number in 0..<100 {
      let cancellable = Just(number).setFailureType(to: TestError.self).subscribe(subject)
      withExtendedLifetime(cancellable) {}
    }
    #expect(recorder.values == Array(0..<100))
    #expect(subject.kept == [])
  }

  @Test("requests from active upstreams in order, and cancels them with the subject")
  func keepsOthers() {
    let sources = (0..<20).map { _ in ManualPublisher<Int, TestError>() }
    var order: [Int] = []
    do {
      let subject = Forwarding()
      let cancellables = sources.map { $0.subscribe(subject) }
      for (number, source) in sources.enumerated() {
        source.subscriptions[0].onRequest = { _ in order.append(number) }
      }
      for number in [3, 0, 19, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1] { sources[number].send(completion: .finished) }
      let recorder = subject.record(demanding: .unlimited)
      #expect(order == [2, 4, 5, 6, 16, 17, 18])
      for number in [17, 2] { sources[number].send(completion: .finished) }
      for source in sources { source.send(1) }
      #expect(recorder.values == [1, 1, 1, 1, 1])
      withExtendedLifetime(cancellables) {}
    }
    #expect(sources.indices.filter { sources[$0].isCancelledOnce } == [4, 5, 6, 16, 18])
  }

  @Test("the release of an upstream's subscription may send into the subject")
  func reentrancy() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.record(demanding: .unlimited)
    let source = ManualPublisher<Int, TestError>()
    let words = Box<LastWords?>(LastWords { subject.send(2) })
    let cancellable = source.handleEvents(receiveCancel: { [words = words.value] in withExtendedLifetime(words) {} })
      .subscribe(subject)
    words.value = nil
    source.send(1)
    source.send(completion: .finished)
    source.releaseSubscribers()
    #expect(recorder.values.first == 1)
    #expect(recorder.isFinished)
    withExtendedLifetime(cancellable) {}
  }

  @Test("a buffer behind a subject delivers when the gate of the upstream that sends is released", arguments: 0..<3)
  func buffers(_ sender: Int) {
    let (subject, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let sources = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    var log: [String] = []
    let cancellables =
      sources.map { $0.subscribe(subject) }
      + [subject.subscribe(second)]
      + [subject, second].map { subject in
        subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest).sink { log.append("buffered \($0)") }
      } + sources.map { $0.sink { log.append("direct \($0)") } }

    sources[sender].send(1)
    #expect(log == ["direct 1", "buffered 1", "buffered 1"])
    // No upstream sends this one.
    subject.send(2)
    #expect(log.suffix(2) == ["buffered 2", "buffered 2"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("a buffer behind a subject also waits for an upstream that forwards what another subscriber receives")
  func buffersBehindForwarded() {
    let subject = PassthroughSubject<Int, TestError>()
    let forwarding = Forwarding(others: 1)
    let (one, other) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    var log: [String] = []
    // The other subject's list has the upstream at its second place, and the list of `forwarding` too.
    let cancellables = [one.subscribe(forwarding.others[0]), one.subscribe(forwarding), other.subscribe(forwarding)]
    let buffered = forwarding.others[0].merge(with: subject)
      .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
      .sink(receiveCompletion: { _ in }, receiveValue: { log.append("buffered \($0)") })
    let direct = other.sink(receiveCompletion: { _ in }, receiveValue: { log.append("direct \($0)") })
    let relay = forwarding.sink(receiveCompletion: { _ in }, receiveValue: { forwarding.others[0].send($0) })

    other.send(1)
    #expect(log == ["direct 1", "buffered 1"])
    withExtendedLifetime((cancellables, buffered, direct, relay)) {}
  }
}

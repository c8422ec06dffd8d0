import Testing
import Weir

@testable import TestSupport

/// The common behavior of both subjects.
@Suite("subjects")
struct SubjectTests {
  /// A recorder with unlimited demand, which has received a current value's first value.
  func attach(_ subject: any Subject<Int, TestError>) -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    return recorder
  }

  /// The events of a recorder without the first value.
  func sent(_ recorder: Recorder<Int, TestError>) -> [Event<Int>] {
    recorder.events.filter { $0 != .subscription && $0 != .value(0) }
  }

  @Test("serves each subscriber by its own demand: none, one, several, unlimited", arguments: SubjectKind.allCases)
  func demandOfEach(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let demands: [Subscribers.Demand] = [.none, .max(1), .max(3), .unlimited]
    let recorders = demands.map { (demand: Subscribers.Demand) -> Recorder<Int, TestError> in
      let recorder = Recorder<Int, TestError>()
      subject.subscribe(recorder)
      return recorder
    }
    for (recorder, demand) in zip(recorders, demands) where demand > .none {
      if case .currentValue = kind { recorder.request(.max(1)) }
      recorder.request(demand)
    }
    for value in 1...5 { subject.send(value) }
    #expect(recorders.map(sent) == [0, 1, 3, 5].map { (count: Int) in (0..<count).map { .value($0 + 1) } })
  }

  @Test("accumulates requested and returned demand", arguments: SubjectKind.allCases)
  func demandAddsUp(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = attach(kind.make(0))
    #expect(sent(recorder) == [])
    let returning = Recorder<Int, TestError>(demanding: .max(kind == .currentValue ? 2 : 1))
    returning.onValue = { value in value == 1 ? .max(2) : .none }
    subject.subscribe(returning)
    for value in 1...5 { subject.send(value) }
    #expect(sent(returning) == [.value(1), .value(2), .value(3)])
  }

  @Test("sends a completion to all, without demand, and no later event", arguments: SubjectKind.allCases)
  func completes(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let eager = attach(subject)
    let idle = Recorder<Int, TestError>()
    subject.subscribe(idle)
    subject.send(1)
    subject.send(completion: .failure(.oops))
    subject.send(2)
    subject.send(completion: .finished)
    eager.request(.max(1))
    idle.request(.unlimited)
    #expect(sent(eager) == [.value(1), .failed(.oops)])
    #expect(idle.events == [.subscription, .failed(.oops)])
  }

  @Test("sends a late subscriber a subscription and the completion", arguments: SubjectKind.allCases)
  func lateSubscriber(_ kind: SubjectKind) {
    let subject = kind.make(0)
    subject.send(completion: .finished)
    #expect(attach(subject).events == [.subscription, .finished])
  }

  @Test("describes itself by its own name", arguments: SubjectKind.allCases)
  func names(_ kind: SubjectKind) {
    let name = attach(kind.make(0)).subscription.map { String(describing: $0) }
    #expect(name == (kind == .passthrough ? "PassthroughSubject" : "CurrentValueSubject"))
  }

  @Test("delivers to subscribers in the order of their subscription", arguments: SubjectKind.allCases)
  func order(_ kind: SubjectKind) {
    let subject = kind.make(0)
    var log: [String] = []
    for name in ["a", "b", "c"] {
      let recorder = attach(subject)
      recorder.onValue = { value in
        log.append("\(name)\(value)")
        return .none
      }
    }
    subject.send(1)
    subject.send(2)
    #expect(log == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test("delivers a re-entrant send immediately to all", arguments: SubjectKind.allCases)
  func nestedSend(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = attach(subject)
    first.onValue = { value in
      if value == 1 {
        subject.send(2)
        #expect(sent(second) == [.value(2)])
      }
      return .none
    }
    subject.send(1)
    #expect(sent(first) == [.value(1), .value(2)])
    #expect(sent(second) == [.value(2), .value(1)])
    subject.send(3)
    second.request(.max(1))
    #expect(sent(second) == [.value(2), .value(1), .value(3)])
  }

  @Test(
    "a subscriber that requests after a nested delivery doesn't receive the same value twice",
    arguments: SubjectKind.allCases)
  func requestAfterNestedSend(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = attach(subject)
    first.onValue = { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.send(1)
    second.request(.max(1))
    #expect(sent(second) == [.value(2), .value(1)])
  }

  @Test(
    "a nested completion is delivered immediately, and ends the delivery",
    arguments: SubjectKind.allCases)
  func nestedCompletion(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = attach(subject)
    first.onValue = { _ in
      subject.send(completion: .finished)
      return .none
    }
    subject.send(1)
    #expect(sent(first) == [.value(1), .finished])
    #expect(sent(second) == [.finished])
  }

  @Test(
    "a nested cancellation takes effect immediately, for the same, an earlier and a later subscriber",
    arguments: SubjectKind.allCases, 0..<3)
  func cancelInside(_ kind: SubjectKind, cancelled: Int) {
    let subject = kind.make(0)
    let recorders = (0..<3).map { _ in attach(subject) }
    recorders[1].onValue = { value in
      if value == 1 { recorders[cancelled].cancel() }
      return .none
    }
    subject.send(1)
    subject.send(2)
    var expected: [[Event<Int>]] = Array(repeating: [.value(1), .value(2)], count: 3)
    expected[cancelled] = cancelled == 2 ? [] : [.value(1)]
    #expect(recorders.map(sent) == expected)
  }

  @Test(
    "a subscriber that attaches inside a delivery receives later values, also nested ones",
    arguments: SubjectKind.allCases
  )
  func subscribeInside(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = Recorder<Int, TestError>(demanding: .unlimited)
    first.onValue = { value in
      if value == 1 {
        subject.subscribe(second)
        subject.send(2)
      }
      return .none
    }
    subject.send(1)
    subject.send(3)
    #expect(sent(first) == [.value(1), .value(2), .value(3)])
    let current: [Event<Int>] = kind == .currentValue ? [.value(1)] : []
    #expect(second.events == [.subscription] + current + [.value(2), .value(3)])
  }

  @Test("a subscriber that attaches during the completion receives the completion", arguments: SubjectKind.allCases)
  func subscribeInsideCompletion(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = Recorder<Int, TestError>(demanding: .unlimited)
    first.onCompletion = { subject.subscribe(second) }
    subject.send(completion: .finished)
    #expect(second.events == [.subscription, .finished])
  }

  @Test("a subscriber that attaches and cancels in a delivery receives no later event", arguments: SubjectKind.allCases)
  func subscribeAndCancelInside(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = attach(subject)
    let second = Recorder<Int, TestError>()
    first.onValue = { value in
      if value == 1 {
        subject.subscribe(second)
        second.cancel()
        second.request(.unlimited)
      }
      return .none
    }
    subject.send(1)
    subject.send(2)
    #expect(second.events == [.subscription])
  }

  @Test(
    "a value or a completion that is sent while the subscription is delivered is received",
    arguments: SubjectKind.allCases)
  func sendInsideSubscription(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = {
      $0.request(.unlimited)
      subject.send(1)
      subject.send(completion: .finished)
    }
    subject.subscribe(recorder)
    #expect(sent(recorder) == [.value(1), .finished])
    #expect(recorder.events.first == .subscription)
  }

  @Test("requests unlimited demand from its upstreams, once", arguments: SubjectKind.allCases)
  func upstreams(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let (early, late) = (ManualSubscription(), ManualSubscription())
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    subject.send(subscription: early)
    #expect(early.events == (kind == .passthrough ? [] : [.requested(.unlimited)]))
    recorder.request(.max(1))
    recorder.request(.max(1))
    subject.send(subscription: late)
    #expect(early.events == [.requested(.unlimited)])
    #expect(late.events == [.requested(.unlimited)])
  }

  @Test("discards a request after a cancellation")
  func requestAfterCancel() {
    let subject = PassthroughSubject<Int, TestError>()
    let upstream = ManualSubscription()
    let recorder = subject.record()
    subject.send(subscription: upstream)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(upstream.events == [])
  }

  @Test("cancels its upstreams when it is deallocated", arguments: SubjectKind.allCases)
  func cancelsUpstreams(_ kind: SubjectKind) {
    let upstream = ManualSubscription()
    do {
      let subject = kind.make(0)
      subject.send(subscription: upstream)
      #expect(!upstream.isCancelled)
    }
    #expect(upstream.events.filter { $0 == .cancelled }.count == 1)
  }

  @Test(
    "a publisher that is subscribed to a subject feeds it until the result is released", arguments: SubjectKind.allCases
  )
  func subscribeSubject(_ kind: SubjectKind) {
    let source = ManualPublisher<Int, TestError>()
    let subject = kind.make(0)
    let recorder = attach(subject)
    var connection: AnyCancellable? = feed(source, subject)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    withExtendedLifetime(connection) {}
    connection = nil
    source.send(2)
    source.send(completion: .finished)
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(sent(recorder) == [.value(1)])
  }

  @Test("a publisher's completion completes the subject that it feeds", arguments: SubjectKind.allCases)
  func subscribeSubjectCompletes(_ kind: SubjectKind) {
    let source = ManualPublisher<Int, TestError>()
    let subject = kind.make(0)
    let recorder = attach(subject)
    let connection = feed(source, subject)
    source.send(completion: .failure(.oops))
    source.send(1)
    connection.cancel()
    #expect(sent(recorder) == [.failed(.oops)])
    #expect(source.events == [.requested(.unlimited)])
  }

  func feed(
    _ source: ManualPublisher<Int, TestError>, _ subject: some Subject<Int, TestError>
  ) -> AnyCancellable {
    source.subscribe(subject)
  }

  @Test(
    "releases a subscriber at the completion, at a cancellation, and with its cancellable",
    arguments: SubjectKind.allCases
  )
  func releases(_ kind: SubjectKind) {
    for way in 0..<4 {
      let subject = kind.make(0)
      #expect(
        isReleased { token in
          let cancellable = subject.eraseAndSink { _ in withExtendedLifetime(token) {} }
          subject.send(1)
          switch way {
          case 0: subject.send(completion: .finished)
          case 1: subject.send(completion: .failure(.oops))
          case 2: cancellable.cancel()
          default: break
          }
        }, "\(way)")
    }
  }

  @Test("releases a subscriber that cancels during a delivery after that delivery", arguments: SubjectKind.allCases)
  func releasesCancelledInside(_ kind: SubjectKind) {
    let subject = kind.make(0)
    #expect(
      isReleased { token in
        let cancellable = Box<AnyCancellable?>(nil)
        cancellable.value = subject.eraseAndSink { _ in
          withExtendedLifetime(token) { cancellable.value?.cancel() }
        }
        subject.send(1)
        cancellable.value = nil
      })
  }

  @Test("retains no sent value, except the current one", arguments: SubjectKind.allCases)
  func keepsNoValues(_ kind: SubjectKind) {
    let subject = kind.make(Token())
    let cancellable = subject.eraseAndSink { (_: Token) in }
    #expect(
      isReleased { token in
        subject.send(token)
        subject.send(Token())
      })
    withExtendedLifetime(cancellable) {}
  }

  @Test(
    "holds no lock while the deinit of a value sends, subscribes, cancels and completes",
    arguments: SubjectKind.allCases)
  func lastWords(_ kind: SubjectKind) {
    let subject = kind.make(LastWords())
    var count = 0
    let first = subject.eraseAndSink { (_: LastWords) in count += 1 }
    var second: AnyCancellable?
    subject.send(
      LastWords {
        first.cancel()
        second = subject.eraseAndSink { (_: LastWords) in count += 100 }
        subject.send(LastWords { subject.send(completion: .finished) })
      })
    subject.send(LastWords())
    subject.send(LastWords())
    #expect(count >= 100)
    withExtendedLifetime(second) {}
  }

  @Test("closures whose release sends into the subject are released outside all locks", arguments: SubjectKind.allCases)
  func lastWordsOfASubscriber(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = attach(subject)
    let attachSpeaking = { (last: Int) -> AnyCancellable in
      let words = LastWords { subject.send(last) }
      return subject.eraseAndSink { _ in withExtendedLifetime(words) {} }
    }
    attachSpeaking(7).cancel()
    #expect(sent(recorder) == [.value(7)])
    let cancelled = attachSpeaking(8)
    recorder.onValue = { value in
      if value == 1 { cancelled.cancel() }
      return .none
    }
    subject.send(1)
    #expect(sent(recorder) == [.value(7), .value(1), .value(8)])
    let ended = attachSpeaking(9)
    subject.send(completion: .finished)
    ended.cancel()
    #expect(sent(recorder) == [.value(7), .value(1), .value(8), .finished])
  }
}

extension Subject {
  /// Attaches a closure; the completion is ignored.
  func eraseAndSink(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receive)
  }
}

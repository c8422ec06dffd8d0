import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("ReplaySubject")
struct ReplaySubjectTests {
  typealias Subject = ReplaySubject<Int, TestError>

  @Test("replays the last values to a late subscriber on demand, and then sends new ones")
  func late() {
    let subject = Subject(bufferSize: 3)
    for value in 1...5 { subject.send(value) }
    let recorder = subject.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(2))
    #expect(recorder.values == [3, 4])
    subject.send(6)
    #expect(recorder.values == [3, 4])
    recorder.request(.unlimited)
    subject.send(7)
    #expect(recorder.values == [3, 4, 5, 6, 7])
  }

  @Test("stores all values without a size")
  func unbounded() {
    let subject = Subject()
    for value in 1...100 { subject.send(value) }
    #expect(subject.record(demanding: .unlimited).values == Array(1...100))
  }

  @Test("a subscriber without demand keeps its position, within the size")
  func keepsPlace() {
    let subject = Subject(bufferSize: 3)
    let recorder = subject.record(demanding: .max(1))
    for value in 1...4 { subject.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    for value in 5...7 { subject.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 5, 6, 7])
  }

  @Test("each subscriber receives values at its own pace")
  func paces() {
    let subject = Subject(bufferSize: 10)
    let all = subject.record(demanding: .unlimited)
    let returning = subject.record(demanding: .max(1), returning: .max(1))
    let two = subject.record(demanding: .max(2))
    let none = subject.record()
    for value in 1...3 { subject.send(value) }
    #expect([all, returning, two, none].map { $0.values } == [[1, 2, 3], [1, 2, 3], [1, 2], []])
    none.request(.max(1))
    two.request(.max(5))
    #expect([two, none].map { $0.values } == [[1, 2, 3], [1]])
  }

  @Test("forwards requested values without a size")
  func sizeZero() {
    let subject = Subject(bufferSize: 0)
    subject.send(1)
    let recorder = subject.record(demanding: .max(1))
    for value in 2...3 { subject.send(value) }
    recorder.request(.max(1))
    subject.send(4)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .value(4), .finished])
    let idle = subject.record()
    #expect(idle.events == [.subscription, .finished])
  }

  // MARK: Completion

  @Test(
    "the completion follows the replayed values, for early and late subscribers",
    arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func ends(_ completion: Subscribers.Completion<TestError>) {
    let end: Event<Int> = completion == .finished ? .finished : .failed(.oops)
    let subject = Subject(bufferSize: 2)
    let all = subject.record(demanding: .unlimited)
    let lagging = subject.record(demanding: .max(1))
    for value in 1...3 { subject.send(value) }
    subject.send(completion: completion)
    subject.send(4)
    subject.send(completion: .failure(.other))
    #expect(all.events == [.subscription, .value(1), .value(2), .value(3), end])
    #expect(lagging.events == [.subscription, .value(1)])
    lagging.request(.max(1))
    #expect(lagging.events == [.subscription, .value(1), .value(2)])
    lagging.request(.max(1))
    #expect(lagging.events == [.subscription, .value(1), .value(2), .value(3), end])
    let late = subject.record()
    #expect(late.events == [.subscription])
    late.request(.max(2))
    #expect(late.events == [.subscription, .value(2), .value(3), end])
    #expect(Subject().record().events == [.subscription])
  }

  @Test("a completion without values needs no demand")
  func endsEmpty() {
    let subject = Subject()
    let recorder = subject.record()
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(subject.record().events == [.subscription, .finished])
  }

  @Test("no event follows a cancellation; a subscriber with a pending completion can cancel")
  func cancels() {
    let subject = Subject()
    let recorder = subject.record(demanding: .max(1))
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1)])
    let inside = subject.record()
    inside.onValue = { _ in
      inside.cancel()
      return .unlimited
    }
    inside.request(.unlimited)
    #expect(inside.events == [.subscription, .value(1)])
  }

  // MARK: Re-entrancy

  @Test("a completion inside a value reaches a subscriber that had no demand for the value", arguments: 0...2)
  func completesInAValue(_ size: Int) {
    let subject = ReplaySubject<Int, TestError>(bufferSize: size)
    let (first, second) = (Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>())
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 2 { subject.send(completion: .finished) }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(second)
    second.request(.max(1))
    for value in 1...2 { subject.send(value) }
    #expect(first.events == [.subscription, .value(1), .value(2), .finished])
    #expect(second.isFinished == (size == 0))
    second.request(.max(1))
    #expect(second.events == [.subscription, .value(1)] + (size == 0 ? [] : [.value(2)]) + [.finished])
  }

  @Test("a re-entrant send is delivered nested, to each subscriber after earlier values")
  func nestedSend() {
    let subject = Subject(bufferSize: 1)
    let first = subject.record(demanding: .unlimited)
    let second = subject.record(demanding: .unlimited)
    first.onValue = { value in
      if value == 1 {
        subject.send(2)
        #expect(first.values == [1, 2])
        #expect(second.values == [1, 2])
      }
      return .none
    }
    subject.send(1)
    #expect(second.values == [1, 2])
    #expect(subject.record(demanding: .unlimited).values == [2])
  }

  @Test("a send during the delivery of a stored value follows the values before it")
  func nestedSendInReplay() {
    let subject = Subject()
    for value in 1...3 { subject.send(value) }
    let recorder = subject.record()
    recorder.onValue = { value in
      if value == 1 {
        subject.send(4)
        subject.send(completion: .finished)
        #expect(recorder.values == [1])
      }
      return .none
    }
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .value(4), .finished])
  }

  @Test("a subscriber with unlimited demand misses no re-entrant value")
  func nestedSendsBeyondTheSize() {
    let subject = Subject(bufferSize: 3)
    for value in 1...3 { subject.send(value) }
    let source = subject.record()
    source.onValue = { value in
      if value == 1 { for next in 4...8 { subject.send(next) } }
      return .none
    }
    let other = subject.record(demanding: .max(1), returning: .max(1))
    source.request(.unlimited)
    #expect(source.values == Array(1...8))
    #expect(other.values == Array(1...8))
    subject.send(9)
    #expect(subject.record(demanding: .unlimited).values == [7, 8, 9])
  }

  @Test("a re-entrant completion immediately reaches a subscriber without pending values")
  func nestedEnd() {
    let subject = Subject()
    let first = subject.record(demanding: .unlimited)
    let second = subject.record(demanding: .unlimited)
    first.onValue = { _ in
      subject.send(completion: .finished)
      return .none
    }
    subject.send(1)
    #expect(first.events == [.subscription, .value(1), .finished])
    #expect(second.events == [.subscription, .value(1), .finished])
  }

  @Test("a subscriber that attaches during a delivery receives stored values and later ones")
  func subscribeInside() {
    let subject = Subject(bufferSize: 2)
    let first = subject.record(demanding: .unlimited)
    let second = Recorder<Int, TestError>(demanding: .unlimited)
    first.onValue = { value in
      if value == 3 {
        subject.subscribe(second)
        subject.send(4)
      }
      return .none
    }
    for value in 1...3 { subject.send(value) }
    subject.send(5)
    #expect(second.events == [.subscription, .value(2), .value(3), .value(4), .value(5)])
  }

  @Test("a send and a completion during the subscription arrive in order")
  func sendInsideSubscription() {
    let subject = Subject()
    subject.send(1)
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = {
      subject.send(2)
      $0.request(.unlimited)
      subject.send(completion: .finished)
    }
    subject.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("a cancellation in a delivery is immediate: of itself, an earlier or a later subscriber", arguments: 0..<3)
  func cancelInside(_ cancelled: Int) {
    let subject = Subject(bufferSize: 1)
    let recorders = (0..<3).map { _ in subject.record(demanding: .unlimited) }
    recorders[1].onValue = { value in
      if value == 1 { recorders[cancelled].cancel() }
      return .none
    }
    subject.send(1)
    subject.send(2)
    var expected = Array(repeating: [1, 2], count: 3)
    expected[cancelled] = cancelled == 2 ? [] : [1]
    #expect(recorders.map { $0.values } == expected)
  }

  // RxSwift 2713: what is kept is replayed under the subject's lock.
  @Test("a subscriber that receives what is kept may wait for another thread that sends and subscribes")
  func replayWaits() {
    let subject = Subject(bufferSize: 2)
    subject.send(1)
    subject.send(2)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    var others: [Recorder<Int, TestError>] = []
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      onAnotherThread {
        subject.send(3)
        others.append(subject.record(demanding: .unlimited))
      }
      return .none
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(others.map { $0.values } == [[2, 3]])
  }

  @Test("100,000 re-entrant requests don't grow the stack")
  func stack() {
    onAnotherThread {
      let subject = Subject()
      for value in 1...100_000 { subject.send(value) }
      let recorder = subject.record()
      recorder.onValue = { _ in
        recorder.request(.max(1))
        return .none
      }
      recorder.request(.max(1))
      #expect(recorder.values.count == 100_000)
    }
  }

  // MARK: Lifetime

  @Test("releases values that are no longer stored")
  func releasesValues() {
    let subject = ReplaySubject<Token, TestError>(bufferSize: 1)
    let idle = subject.record()
    #expect(
      isReleased { token in
        subject.send(token)
        subject.send(Token())
      })
    withExtendedLifetime(idle) {}
  }

  @Test("releases a subscriber at completion and at cancellation", arguments: Ending.allCases)
  func releases(_ ending: Ending) {
    let subject = Subject()
    let kept = Box<(any Subscription)?>(nil)
    #expect(
      isReleased { token in
        let recorder = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
          .record(demanding: .unlimited)
        kept.value = recorder.subscription
        subject.send(1)
        switch ending {
        case .finish: subject.send(completion: .finished)
        case .failure: subject.send(completion: .failure(.oops))
        case .cancel: recorder.cancel()
        }
      })
    withExtendedLifetime(kept) {}
  }

  @Test("runs the deinit of a value that sends and subscribes outside all locks")
  func lastWords() {
    let subject = ReplaySubject<LastWords, TestError>(bufferSize: 1)
    var numbers: [Int] = []
    let cancellable = subject.sink(receiveCompletion: { _ in }, receiveValue: { numbers.append($0.number) })
    subject.send(LastWords(1) { subject.send(LastWords(3)) })
    subject.send(LastWords(2))
    #expect(numbers == [1, 2, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test("immediately requests unlimited demand from its upstreams, and cancels them when it is deallocated")
  func upstreams() {
    let source = ManualPublisher<Int, TestError>()
    let subject = Subject()
    let connection = source.subscribe(subject)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(completion: .finished)
    #expect(subject.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
    withExtendedLifetime(connection) {}
    let upstream = ManualSubscription()
    do {
      let other = Subject()
      other.send(subscription: upstream)
    }
    #expect(upstream.events == [.requested(.unlimited), .cancelled])
  }

  // MARK: Threads

  @Test("a subscriber that attaches during concurrent sends receives a gapless suffix")
  func sendsAndSubscribes() {
    for _ in 0..<Effort.rounds(300) {
      let subject = Subject()
      let recorders = (0..<3).map { _ in Recorder<Int, TestError>(demanding: .unlimited) }
      race(
        { for value in 1...20 { subject.send(value) } }, { for recorder in recorders { subject.subscribe(recorder) } })
      for recorder in recorders {
        #expect(recorder.events.first == .subscription)
        #expect(recorder.values == Array(1...20))
      }
    }
  }

  @Test("requests that race with sends lose and add no value")
  func requestsAndSends() {
    for _ in 0..<Effort.rounds(100) {
      let subject = Subject()
      let recorder = subject.record()
      race(
        { for _ in 0..<20 { recorder.request(.max(1)) } }, { for _ in 0..<20 { recorder.request(.max(1)) } },
        { for value in 1...100 { subject.send(value) } })
      #expect(recorder.values == Array(1...40))
      subject.send(completion: .finished)
      recorder.request(.unlimited)
      #expect(recorder.values == Array(1...100))
      #expect(recorder.isFinished)
    }
  }

  @Test("all subscribers receive the values of several threads in one order")
  func senders() {
    let subject = Subject()
    let recorders = (0..<2).map { _ in subject.record(demanding: .unlimited) }
    race(
      { for value in 1...2_000 { subject.send(value) } }, { for value in 1...2_000 { subject.send(-value) } })
    let late = subject.record(demanding: .unlimited)
    #expect(late.values.count == 4_000)
    #expect(late.values.filter { $0 > 0 } == Array(1...2_000))
    #expect(recorders.map { $0.values } == [late.values, late.values])
  }

  @Test("no event follows a racing cancellation that has returned while no delivery is in progress")
  func sendsAndCancels() {
    for _ in 0..<Effort.rounds(300) {
      let subject = Subject(bufferSize: 2)
      let recorder = subject.record(demanding: .unlimited)
      let other = subject.record(demanding: .unlimited)
      race({ for value in 1...10 { subject.send(value) } }, { recorder.cancel() })
      let delivered = recorder.events.count
      subject.send(11)
      #expect(recorder.events.count == delivered)
      #expect(other.values == Array(1...11))
    }
  }

  @Test("respects its size and the requested demand while another thread sends")
  func bound() {
    let count = LiveValues()
    let subject = ReplaySubject<Counted, Never>(bufferSize: 2)
    let recorder = subject.map(\.number).record()
    recorder.onValue = { value in
      if value == 0 { onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } } }
      return .none
    }
    subject.send(Counted(0, count))
    recorder.request(.max(2))
    #expect(recorder.values == [0, 1])
    // The stored value, the requested one, the last two, and the one that is being sent.
    #expect(count.highest <= 5)
    recorder.request(.unlimited)
    #expect(recorder.values == [0, 1, 999, 1000])
    #expect(subject.map(\.number).record(demanding: .unlimited).values == [999, 1000])
  }

  @Test("keeps 50,000 of 200,000 values that another thread sends during a delivery, one by one")
  func largeBound() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 50_000)
    let recorder = subject.record()
    recorder.onValue = { value in
      if value == 0 { onAnotherThread { for value in 1...200_000 { subject.send(value) } } }
      return .none
    }
    subject.send(0)
    recorder.request(.max(1))
    HandOver.settle()
    recorder.request(.unlimited)
    #expect(recorder.values == [0] + Array(150_001...200_000))
  }

  @Test(
    "keeps the order of values that a subscriber causes in its subscription", arguments: [0, 1, 10], [true, false])
  func sendsInSubscription(_ bufferSize: Int, _ completes: Bool) {
    let subject = ReplaySubject<Int, Never>(bufferSize: bufferSize)
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.max(1))
      subject.send(1)
    }
    recorder.onValue = { [unowned recorder] (value: Int) -> Subscribers.Demand in
      if value > 1 { return .none }
      subject.send(2)
      recorder.request(.max(2))
      subject.send(3)
      if completes { subject.send(completion: .finished) } else { subject.send(4) }
      return .max(1)
    }
    subject.subscribe(recorder)
    #expect(recorder.events == [.subscription] + [1, 2, 3].map { .value($0) } + [completes ? .finished : .value(4)])
  }

  @Test("a subscriber that requests after another thread has sent receives the last values")
  func lateRequest() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 2)
    for value in 1...2 { subject.send(value) }
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { subscription in
      onAnotherThread { for value in 3...9 { subject.send(value) } }
      subscription.request(.max(1))
      onAnotherThread { subject.send(10) }
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [8])
    recorder.request(.unlimited)
    #expect(recorder.values == [8, 9, 10])
  }
}

import Testing
import Weir

@testable import TestSupport

/// Subjects on several threads, with subscribers that are not thread-safe.
@Suite("subjects on several threads")
struct SubjectThreadTests {
  @Test(
    "the thread of the current delivery delivers a value from another thread afterwards",
    arguments: SubjectKind.allCases)
  func leavesWithTheOwner(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    var inside = 0
    recorder.onValue = { value in
      inside += 1
      #expect(inside == 1)
      if value == 1 {
        onAnotherThread {
          subject.send(2)
          subject.send(completion: .finished)
        }
      }
      inside -= 1
      return .none
    }
    subject.send(1)
    #expect(recorder.events.suffix(3) == [.value(1), .value(2), .finished])
  }

  @Test(
    "a re-entrant event follows the values that another thread has sent before it", arguments: SubjectKind.allCases)
  func nestedBehindOthers(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    let late = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    recorder.onValue = { value in
      if value == 1 {
        onAnotherThread { subject.send(2) }
        subject.send(3)
        onAnotherThread { subject.send(4) }
        subject.subscribe(late)
        onAnotherThread { subject.send(5) }
        subject.send(completion: .finished)
      }
      return .none
    }
    subject.send(1)
    #expect(recorder.events.suffix(6) == [.value(1), .value(2), .value(3), .value(4), .value(5), .finished])
    let replayed: [Event<Int>] = kind == .currentValue ? [.value(3), .value(4)] : []
    #expect(late.events == [.subscription] + replayed + [.value(5), .finished])
  }

  @Test("a subscriber that attaches inside a delivery receives the current value immediately, whatever is pending")
  func readsByAttaching() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    var reads: [Int] = []
    recorder.onValue = { value in
      if value == 1 {
        onAnotherThread {
          subject.send(2)
          subject.send(3)
        }
        subject.send(4)
      }
      let reader = Recorder<Int, TestError>(demanding: .max(1))
      subject.subscribe(reader)
      reads += reader.values
      return .none
    }
    subject.send(1)
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(reads == [2, 3, 4, 4])
  }

  @Test(
    "a subscriber that attaches on another thread during a delivery receives its subscription and later values",
    arguments: SubjectKind.allCases)
  func subscribesDuringDelivery(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    let other = Recorder<Int, TestError>(demanding: .unlimited)
    let cancelled = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    recorder.onValue = { value in
      if value == 1 {
        onAnotherThread {
          subject.subscribe(other)
          subject.subscribe(cancelled)
          cancelled.cancel()
          #expect(other.events == [.subscription])
        }
      }
      return .none
    }
    subject.send(1)
    subject.send(2)
    #expect(other.values == (kind == .currentValue ? [1, 2] : [2]))
    #expect(cancelled.events == [.subscription])
    #expect(recorder.values.suffix(2) == [1, 2])
  }

  @Test(
    "a subscriber that attaches on another thread during the completion receives the completion",
    arguments: SubjectKind.allCases)
  func subscribesDuringCompletion(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    let other = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(recorder)
    recorder.onCompletion = { onAnotherThread { subject.subscribe(other) } }
    subject.send(completion: .finished)
    #expect(other.events == [.subscription, .finished])
  }

  @Test(
    "a cancellation on another thread stops later values, and releases the subscriber after the delivery",
    arguments: SubjectKind.allCases)
  func cancelsDuringDelivery(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let first = Recorder<Int, TestError>(demanding: .unlimited)
    subject.subscribe(first)
    var count = 0
    #expect(
      isReleased { token in
        let second = subject.eraseAndSink { value in withExtendedLifetime(token) { if value > 0 { count += 1 } } }
        first.onValue = { _ in
          onAnotherThread { second.cancel() }
          return .none
        }
        subject.send(1)
        first.onValue = { _ in .none }
      })
    #expect(count == 0)
  }

  @Test("delivers every value of several threads, one at a time", arguments: SubjectKind.allCases)
  func sends(_ kind: SubjectKind) {
    let subject = kind.make(0)
    var sum = 0
    let cancellable = subject.eraseAndSink { sum += $0 }
    let send: () -> Void = { for _ in 0..<20_000 { subject.send(1) } }
    race(send, send, send, send)
    #expect(sum == 80_000)
    withExtendedLifetime(cancellable) {}
  }

  @Test("the values of each thread keep their order", arguments: SubjectKind.allCases)
  func order(_ kind: SubjectKind) {
    let subject = kind.make((0, 0))
    var last = [0, 0, 0]
    var breaks = 0
    let cancellable = subject.eraseAndSink { (thread: Int, value: Int) in
      if thread > 0 {
        if last[thread] + 1 != value { breaks += 1 }
        last[thread] = value
      }
    }
    race(
      { for value in 1...5_000 { subject.send((1, value)) } }, { for value in 1...5_000 { subject.send((2, value)) } })
    #expect(breaks == 0)
    #expect(last == [0, 5_000, 5_000])
    withExtendedLifetime(cancellable) {}
  }

  @Test(
    "no value follows a racing cancellation that has returned, after the current delivery",
    arguments: SubjectKind.allCases)
  func sendsAndCancels(_ kind: SubjectKind) {
    for _ in 0..<Effort.rounds(500) {
      let subject = kind.make(0)
      let recorder = Recorder<Int, TestError>(demanding: .unlimited)
      let other = Recorder<Int, TestError>(demanding: .unlimited)
      subject.subscribe(recorder)
      subject.subscribe(other)
      race({ for value in 1...10 { subject.send(value) } }, { recorder.cancel() })
      let delivered = recorder.events.count
      subject.send(11)
      #expect(recorder.events.count == delivered)
      #expect(other.values.suffix(11) == Array(1...11))
    }
  }

  @Test("a subscriber that attaches during concurrent sends receives a gapless suffix", arguments: SubjectKind.allCases)
  func sendsAndSubscribes(_ kind: SubjectKind) {
    for _ in 0..<Effort.rounds(300) {
      let subject = kind.make(0)
      let recorders = (0..<3).map { _ in Recorder<Int, TestError>(demanding: .unlimited) }
      race(
        { for value in 1...20 { subject.send(value) } }, { for recorder in recorders { subject.subscribe(recorder) } })
      subject.send(21)
      for recorder in recorders {
        #expect(recorder.events.first == .subscription)
        #expect(recorder.values == Array((22 - recorder.values.count)...21))
      }
    }
  }

  @Test("a completion that races with values is delivered once, last", arguments: SubjectKind.allCases)
  func sendsAndCompletes(_ kind: SubjectKind) {
    for _ in 0..<Effort.rounds(500) {
      let subject = kind.make(0)
      let recorder = Recorder<Int, TestError>(demanding: .unlimited)
      subject.subscribe(recorder)
      race(
        { for value in 1...10 { subject.send(value) } }, { subject.send(completion: .finished) },
        { subject.send(completion: .failure(.oops)) })
      let ends = recorder.events.filter { $0 == .finished || $0 == .failed(.oops) }
      #expect(ends.count == 1)
      #expect(recorder.events.last == ends.first)
    }
  }

  @Test("requests that race with values lose and add no demand")
  func requestsAndSends() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.record()
    race(
      { for _ in 0..<5_000 { recorder.request(.max(1)) } }, { for _ in 0..<5_000 { recorder.request(.max(1)) } },
      { for _ in 0..<5_000 { subject.send(1) } })
    for _ in 0..<20_000 { subject.send(1) }
    #expect(recorder.values.count == 10_000)
  }

  @Test("requests that race with a current value's sends end with the newest value")
  func requestsAndCurrentValue() {
    for _ in 0..<Effort.rounds(300) {
      let subject = CurrentValueSubject<Int, TestError>(0)
      let recorder = subject.record()
      race({ for _ in 0..<5 { recorder.request(.max(1)) } }, { for value in 1...5 { subject.send(value) } })
      recorder.request(.max(10))
      #expect(recorder.values.last == 5)
      #expect(recorder.values == recorder.values.sorted())
      #expect(Set(recorder.values).count == recorder.values.count)
    }
  }
}

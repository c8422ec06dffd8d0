import Testing
import Weir

@testable import TestSupport

@Suite("CurrentValueSubject")
struct CurrentValueSubjectTests {
  let subject = CurrentValueSubject<Int, TestError>(0)

  @Test("sends each subscriber the latest value at its first demand")
  func replays() {
    subject.send(1)
    let recorder = subject.record()
    #expect(recorder.events == [.subscription])
    subject.send(2)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(2)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(2)])
    subject.send(3)
    #expect(recorder.values == [2, 3])
  }

  @Test("keeps the newest value for a subscriber without demand, and drops earlier ones")
  func keepsNewest() {
    let recorder = subject.record(demanding: .max(1))
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [0])
    recorder.request(.max(5))
    #expect(recorder.values == [0, 3])
    subject.send(4)
    #expect(recorder.values == [0, 3, 4])
  }

  @Test("its value is the last that was sent or set, with and without subscribers, also during a delivery")
  func value() {
    #expect(subject.value == 0)
    subject.value = 1
    #expect(subject.value == 1)
    let recorder = subject.record(demanding: .unlimited)
    recorder.onValue = { value in
      #expect(subject.value == value)
      return .none
    }
    subject.value = 2
    subject.send(3)
    #expect(recorder.values == [1, 2, 3])
    #expect(subject.value == 3)
  }

  @Test("after the completion, ignores sent values, stores set ones, and sends later subscribers neither")
  func afterTheEnd() {
    let early = subject.record(demanding: .unlimited)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subject.value == 1)
    subject.value = 3
    #expect(subject.value == 3)
    #expect(early.events == [.subscription, .value(0), .value(1), .finished])
    #expect(subject.record(demanding: .unlimited).events == [.subscription, .finished])
  }

  @Test("delivers a value that is requested in its own delivery once")
  func askedInside() {
    let first = subject.record(demanding: .unlimited)
    let second = subject.record(demanding: .max(1))
    first.onValue = { value in
      if value == 1 { second.request(.max(2)) }
      return .none
    }
    subject.send(1)
    #expect(second.values == [0, 1])
    subject.send(2)
    #expect(second.values == [0, 1, 2])
  }

  @Test("delivers a value that is requested in its own delivery once, also if another one is sent inside it")
  func requestedAndNested() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (first, second) = (Recorder<Int, Never>(demanding: .unlimited), Recorder<Int, Never>(demanding: .max(1)))
    subject.subscribe(first)
    subject.subscribe(second)
    first.onValue = { [unowned second] (value: Int) -> Subscribers.Demand in
      if value == 1 { second.request(.unlimited) }
      return .none
    }
    second.onValue = { [unowned subject] (value: Int) -> Subscribers.Demand in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.send(1)
    #expect(second.values == [0, 1, 2])
  }

  @Test("uses the demand that is returned for the first value")
  func returnedDemand() {
    let recorder = Recorder<Int, TestError>(demanding: .max(1))
    recorder.onValue = { $0 == 0 ? .max(1) : .none }
    subject.subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [0, 1])
  }

  @Test("stores an optional value that is nil")
  func optional() {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    #expect(subject.record(demanding: .unlimited).events == [.subscription, .value(nil)])
    subject.send(1)
    subject.send(nil)
    #expect(subject.record(demanding: .unlimited).events == [.subscription, .value(nil)])
  }

  @Test("a value that is sent by the release of the last one follows its replacement")
  func lastWords() {
    let subject = CurrentValueSubject<LastWords, Never>(LastWords(2))
    var order: [Int] = []
    let cancellable = subject.sink { order.append($0.number) }
    subject.value.onDeinit = { subject.send(LastWords(9)) }
    subject.send(LastWords(3))
    #expect(order == [2, 3, 9])
    #expect(subject.value.number == 9)
    var late: [Int] = []
    _ = subject.sink { late.append($0.number) }
    #expect(late == [9])
    withExtendedLifetime(cancellable) {}
  }

  @Test("releases a value that is replaced after the completion outside all locks")
  func lastWordsAfterCompletion() {
    let subject = CurrentValueSubject<LastWords, Never>(LastWords(1))
    subject.send(completion: .finished)
    subject.value = LastWords(2)
    var found = 0
    subject.value.onDeinit = { found = subject.value.number }
    subject.value = LastWords(3)
    #expect(found == 3)
  }

  @Test("several threads can read and set its value")
  func races() {
    let recorder = subject.record(demanding: .unlimited)
    var read = 0
    race(
      { for value in 1...10_000 { subject.value = value } },
      { for _ in 0..<10_000 { read = max(read, subject.value) } })
    #expect(subject.value == 10_000)
    #expect(read <= 10_000)
    #expect(recorder.values == Array(0...10_000))
  }

  @Test("stores the value that it delivers last, in every order of threads")
  func agreesWithTheLastDelivery() {
    for _ in 0..<Effort.rounds(200) {
      let subject = CurrentValueSubject<Int, Never>(0)
      let recorder = subject.record(demanding: .unlimited)
      race(
        { for value in 1...20 { subject.send(value) } }, { for value in 101...120 { subject.value = value } })
      #expect(recorder.values.count == 41)
      #expect(recorder.values.last == subject.value)
      #expect(subject.record(demanding: .unlimited).values == [subject.value])
    }
  }

  @Test("replaced values don't reduce the demand later")
  func replacedValues() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.record(demanding: .max(2))
    var sent: [Int: [Int]] = [1: [2, 3], 4: [5, 6]]
    recorder.onValue = { value in
      let values = sent.removeValue(forKey: value) ?? []
      onAnotherThread { for value in values { subject.send(value) } }
      return .none
    }
    subject.send(1)
    #expect(recorder.values == [0, 1])
    recorder.request(.max(1))
    recorder.request(.max(3))
    subject.send(4)
    #expect(recorder.values == [0, 1, 3, 4, 5, 6])
  }
}

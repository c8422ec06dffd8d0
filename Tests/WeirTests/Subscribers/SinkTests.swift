import Testing
import Weir

@testable import TestSupport

@Suite("Sink")
struct SinkTests {
  @Test("requests unlimited demand at the subscription, and no more with a value")
  func demand() {
    let source = ManualPublisher<Int, TestError>()
    var values: [Int] = []
    var completions: [Subscribers.Completion<TestError>] = []
    let cancellable = source.sink(receiveCompletion: { completions.append($0) }, receiveValue: { values.append($0) })
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    source.send(completion: .failure(.oops))
    #expect(values == [1, 2])
    #expect(completions == [.failure(.oops)])
    #expect(source.events == [.requested(.unlimited)])
    withExtendedLifetime(cancellable) {}
  }

  @Test("ignores events after the completion, and doesn't cancel a completed upstream")
  func silenceAfterTheEnd() {
    let source = ManualPublisher<Int, TestError>()
    var events = 0
    let cancellable = source.sink(receiveCompletion: { _ in events += 1 }, receiveValue: { _ in events += 1 })
    source.send(completion: .finished)
    source.send(1)
    source.send(completion: .finished)
    cancellable.cancel()
    #expect(events == 1)
    #expect(source.events == [.requested(.unlimited)])
    #expect(source.sendSubscription().events == [.cancelled])
  }

  @Test("returns its closures while another thread completes and releases them")
  func closuresElsewhere() {
    for _ in 0..<2000 {
      // A reader without a lock would race with the deallocation of the capture.
      let capture = Box(1)
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { @Sendable (_: Subscribers.Completion<Never>) in },
        receiveValue: { (_: Int) in #expect(capture.value == 1) })
      let source = PassthroughSubject<Int, Never>()
      source.subscribe(sink)
      race({ source.send(completion: .finished) }, { sink.receiveValue(7) })
    }
  }

  @Test("hides its closures in a deinit of their captures", arguments: [true, false])
  func closuresInADeinit(endsInsideADelivery: Bool) {
    final class Reader {
      var read: (() -> Void)?
      deinit { read?() }
    }
    var values: [Int] = []
    var reads = 0
    let source = ManualPublisher<Int, Never>()
    func makeSink() -> Subscribers.Sink<Int, Never> {
      let reader = Reader()
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { (_: Subscribers.Completion<Never>) in },
        receiveValue: { (value: Int) in
          withExtendedLifetime(reader) { values.append(value) }
          if endsInsideADelivery { source.send(completion: .finished) }
        })
      reader.read = { [unowned sink] in
        reads += 1
        sink.receiveValue(7)
      }
      return sink
    }
    let sink = makeSink()
    source.subscribe(sink)
    source.send(1)
    source.send(completion: .finished)
    #expect(values == [1])
    #expect(reads == 1)
    withExtendedLifetime(sink) {}
  }

  @Test("cancels once when the cancellable is released, and ignores later events")
  func letGo() {
    let source = ManualPublisher<Int, Never>()
    var values: [Int] = []
    do {
      let cancellable = source.sink { values.append($0) }
      source.send(1)
      withExtendedLifetime(cancellable) {}
    }
    source.send(2)
    source.send(completion: .finished)
    #expect(values == [1])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("cancels a second subscription, and keeps the first")
  func secondSubscription() {
    let source = ManualPublisher<Int, Never>()
    var values: [Int] = []
    let cancellable = source.sink { values.append($0) }
    #expect(source.sendSubscription().events == [.cancelled])
    source.send(1)
    #expect(values == [1])
    #expect(source.events == [.requested(.unlimited)])
    withExtendedLifetime(cancellable) {}
  }

  @Test("cancels a subscription after the cancellation, without a request")
  func cancelledBefore() {
    let source = ManualPublisher<Int, Never>(subscribing: false)
    let cancellable = source.sink { _ in Issue.record("A value came after the cancel.") }
    cancellable.cancel()
    #expect(source.sendSubscription().events == [.cancelled])
    source.send(1)
  }

  @Test("ignores events after a closure cancels")
  func cancelsInside() {
    let box = Box<AnyCancellable?>(nil)
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    box.value = subject.sink { value in
      values.append(value)
      if value == 2 { box.value = nil }
    }
    for value in 1...3 { subject.send(value) }
    #expect(values == [1, 2])
  }

  @Test("releases its closures at completion and at cancellation, while the cancellable or the sink lives")
  func releases() {
    let kept = Box<Any?>(nil)
    let subject = PassthroughSubject<Int, Never>()
    #expect(
      isReleased { token in
        let cancellable = subject.sink { _ in withExtendedLifetime(token) {} }
        kept.value = cancellable
        cancellable.cancel()
      })
    #expect(
      isReleased { token in
        let sink = Subscribers.Sink<Int, Never>(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in withExtendedLifetime(token) {} })
        kept.value = sink
        Just(1).subscribe(sink)
      })
    withExtendedLifetime((kept, subject)) {}
  }

  @Test("releases its closures at cancellation even if the sink itself is retained")
  func releasesKeptSink() {
    let kept = Box<Any?>(nil)
    let subject = PassthroughSubject<Int, Never>()
    withKnownIssue("After a cancel the closures go with the sink, because a delivery may be calling one.") {
      #expect(
        isReleased { token in
          let sink = Subscribers.Sink<Int, Never>(
            receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
          subject.subscribe(sink)
          kept.value = sink
          sink.cancel()
        })
    }
    withExtendedLifetime((kept, subject)) {}
  }

  @Test("the completion closure may release it")
  func lettingGoAtTheEnd() {
    var ends = 0
    let kept = Box<AnyCancellable?>(nil)
    let subject = PassthroughSubject<Int, Never>()
    kept.value = subject.sink(
      receiveCompletion: { _ in
        kept.value = nil
        ends += 1
      }, receiveValue: { _ in })
    subject.send(completion: .finished)
    #expect(ends == 1)
    #expect(kept.value == nil)
  }

  @Test("has its documented name and no children")
  func reflection() {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(sink.description == "Sink")
    #expect(sink.playgroundDescription as? String == "Sink")
    #expect(sink.customMirror.children.isEmpty)
  }

  @Test("retains its closures while one of them runs, for a re-entrant completion", arguments: [true, false])
  func endsInsideADelivery(finishing: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    weak var remains: Token?
    var seen: [Bool] = []
    var cancellable: AnyCancellable?
    do {
      let token = Token()
      remains = token
      cancellable = subject.sink { _ in
        if finishing { subject.send(completion: .finished) } else { cancellable = nil }
        seen.append(remains != nil)
        withExtendedLifetime(token) {}
      }
    }
    subject.send(1)
    #expect(seen == [true])
    #expect(remains == nil)
    withExtendedLifetime(cancellable) {}
  }
}

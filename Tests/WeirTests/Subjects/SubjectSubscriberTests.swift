import Testing
import Weir

@testable import TestSupport

@Suite("subscribe(_:) with a subject")
struct SubjectSubscriberTests {
  @Test("requests unlimited demand at the first request to the subject")
  func demand() {
    let source = ManualPublisher<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let cancellable = source.subscribe(subject)
    #expect(source.events == [])
    let recorder = subject.record(demanding: .max(1))
    #expect(source.events == [.requested(.unlimited)])
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(recorder.events == [.subscription, .value(1)])
    withExtendedLifetime(cancellable) {}
  }

  @Test("requests unlimited demand immediately for a subject that stores a value")
  func currentValue() {
    let source = ManualPublisher<Int, TestError>()
    let subject = CurrentValueSubject<Int, TestError>(0)
    let cancellable = source.subscribe(subject)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    #expect(subject.value == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test("sends values and the completion into the subject, and no later event")
  func sends() {
    for completion in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let source = ManualPublisher<Int, TestError>()
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = subject.record(demanding: .unlimited)
      let cancellable = source.subscribe(subject)
      source.send(1)
      source.send(completion: completion)
      source.send(2)
      source.send(completion: .finished)
      cancellable.cancel()
      #expect(recorder.events == [.subscription, .value(1), completion == .finished ? .finished : .failed(.oops)])
      #expect(source.events == [.requested(.unlimited)])
    }
  }

  @Test("cancels its upstream once, and sends no later event; the subject lives on")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.record(demanding: .unlimited)
    let cancellable = source.subscribe(subject)
    cancellable.cancel()
    cancellable.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(source.events == [.requested(.unlimited), .cancelled])
    subject.send(2)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("ignores events before the subscription, and cancels a second one")
  func misbehaving() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.record(demanding: .unlimited)
    let cancellable = source.subscribe(subject)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    source.sendSubscription()
    #expect(source.sendSubscription().events == [.cancelled])
    source.send(2)
    #expect(recorder.events == [.subscription, .value(2)])
    withExtendedLifetime(cancellable) {}
  }

  @Test("several publishers may send into one subject")
  func several() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record(demanding: .unlimited)
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellables = [first.subscribe(subject), second.subscribe(subject)]
    first.send(1)
    second.send(2)
    first.send(3)
    #expect(recorder.values == [1, 2, 3])
    withExtendedLifetime(cancellables) {}
  }

  @Test("releases the upstream and the subject at completion and at cancellation")
  func releases() {
    for ending in Ending.allCases {
      let source = PassthroughSubject<Int, TestError>()
      let kept = Box<AnyCancellable?>(nil)
      #expect(
        isReleased { token in
          let subject = PassthroughSubject<Int, TestError>()
          let recorder = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
            .record(demanding: .unlimited)
          let cancellable = source.subscribe(subject)
          kept.value = cancellable
          ending.happen(to: source, recorder)
          if ending == .cancel { cancellable.cancel() }
        }, "\(ending)")
      withExtendedLifetime((source, kept)) {}
    }
  }
}

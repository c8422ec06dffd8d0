import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("bind")
struct BindTests {
  let source = ManualPublisher<Int, Never>()
  let bag = CancelBag()

  @Test("sends values, but no completion, into relays, also of optionals")
  func relays() {
    let (one, other, optional) = (CurrentValueRelay(0), CurrentValueRelay(0), CurrentValueRelay<Int?>(nil))
    source.bind(to: one, other).store(in: bag)
    source.bind(to: optional).store(in: bag)
    let (recorder, ofOptional) = (one.record(demanding: .unlimited), optional.record(demanding: .unlimited))
    for index in 0...1 {
      source.send(1, to: index)
      source.send(completion: .finished, to: index)
    }
    #expect(source.subscribers.count == 2)
    #expect(source.events == [.requested(.unlimited)])
    #expect(other.value == 1)
    #expect(recorder.events == [.subscription, .value(0), .value(1)])
    #expect(ofOptional.events == [.subscription, .value(nil), .value(1)])
  }

  @Test("a closure without a label handles the values, unless it uses the publisher")
  func unlabeled() {
    var seen: [String] = []
    let subject = PassthroughSubject<Int, Never>()
    let values = subject.bind { seen.append("value \($0)") }
    let result = subject.bind { $0.map { $0 * 10 }.sink { seen.append("result \($0)") } }
    let labeled: String = subject.bind(to: { "\(type(of: $0))" })
    subject.send(1)
    #expect(seen.sorted() == ["result 10", "value 1"])
    #expect(labeled == "PassthroughSubject<Int, Never>")
    withExtendedLifetime((values, result)) {}
  }

  @Test("sends values and the completion into subjects")
  func subjects() {
    let (one, other) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let recorders = [one.record(demanding: .unlimited), other.record(demanding: .unlimited)]
    source.bind(to: one, other).store(in: bag)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorders[0].events == [.subscription, .value(1), .finished])
    #expect(recorders[1].events == [.subscription, .value(0), .value(1), .finished])
  }

  @Test("uses a single subscriber's demand, and cancels it without a completion")
  func subscriber() {
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    let cancellable = source.bind(to: recorder)
    #expect(source.events == [.requested(.max(1))])
    source.send(1)
    cancellable.cancel()
    cancellable.cancel()
    #expect(source.events == [.requested(.max(1)), .cancelled])
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("cancels a subscriber whose subscription has not arrived")
  func early() {
    let source = ManualPublisher<Int, Never>(subscribing: false)
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    source.bind(to: recorder).cancel()
    #expect(source.sendSubscription().isCancelled)
  }

  @Test("sends the values of one subscription to several subscribers")
  func subscribers() {
    let (patient, eager) = (Recorder<Int, Never>(demanding: .max(1)), Recorder<Int, Never>(demanding: .unlimited))
    let cancellable = source.bind(to: patient, eager)
    #expect(source.subscribers.count == 1)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(2)
    cancellable.cancel()
    #expect(source.isCancelledOnce)
    #expect(patient.events == [.subscription, .value(1)])
    #expect(eager.events == [.subscription, .value(1), .value(2)])
  }

  @Test("sends all events of a synchronous source to several subscribers, also of optionals")
  func atOnce() {
    let recorders = (0..<2).map { _ in Recorder<Int?, Never>(demanding: .unlimited) }
    [1, 2].publisher.bind(to: recorders[0], recorders[1]).store(in: bag)
    for recorder in recorders { #expect(recorder.events == [.subscription, .value(1), .value(2), .finished]) }
  }

  @Test("releases subscribers at completion and at cancellation")
  func releases() {
    for ending in [Ending.finish, .cancel] {
      let subject = PassthroughSubject<Int, Never>()
      let kept = Box<AnyCancellable?>(nil)
      let isReleased = isReleased { (token: Token) in
        let recorder = Recorder<Int, Never>(demanding: .unlimited)
        recorder.onCompletion = { withExtendedLifetime(token) {} }
        kept.value = subject.bind(to: recorder)
        if case .finish = ending { subject.send(completion: .finished) } else { kept.value?.cancel() }
      }
      #expect(isReleased, "\(ending)")
      withExtendedLifetime((subject, kept)) {}
    }
  }

  final class Model {
    var values: [Int] = []
  }

  @Test("passes values to a closure, with or without a weakly held object, and itself to a function")
  func closures() {
    var values: [Int] = []
    let model = Box<Model?>(Model())
    weak let remains = model.value
    source.bind(onNext: { values.append($0) }).store(in: bag)
    if let model = model.value { source.bind(with: model) { $0.values.append($1) }.store(in: bag) }
    for index in 0...1 { source.send(1, to: index) }
    #expect(values == [1])
    #expect(model.value?.values == [1])
    model.value = nil
    #expect(remains == nil)
    source.send(2, to: 1)
    #expect(source.bind { (source: ManualPublisher<Int, Never>) in source.subscribers.count } == 2)
  }
}

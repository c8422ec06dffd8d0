import Testing

@testable import TestSupport
@testable import Weir

@Suite("sink(on:) and assign on the main actor")
@MainActor
struct SinkOnMainActorTests {
  final class Model {
    var name = 0
    var names: [Int] = [] {
      didSet { names.count > 3 ? names.removeAll() : () }
    }
  }

  /// A subject that one thread after the other uses.
  struct Sent: @unchecked Sendable {
    let subject = PassthroughSubject<Int, TestError>()

    @MainActor
    func elsewhere(_ values: Int...) {
      let send: @Sendable () -> Void = { for value in values { subject.send(value) } }
      onAnotherThread(send)
    }

    @MainActor
    func endElsewhere() {
      let end: @Sendable () -> Void = { subject.send(completion: .finished) }
      onAnotherThread(end)
    }
  }

  @Test("delivers a value on the main actor before send returns, with unlimited demand")
  func atOnce() {
    let source = ManualPublisher<Int, Never>()
    var values: [Int] = []
    let cancellable = source.sink(on: MainActor.shared) { values.append($0) }
    #expect(source.send(1) == .none)
    #expect(values == [1])
    source.send(2)
    #expect(values == [1, 2])
    cancellable.cancel()
    source.send(3)
    #expect(values == [1, 2])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("values of other threads arrive on the main actor, in order, and the completion after them")
  func hops() async {
    let sent = Sent()
    var events: [String] = []
    let cancellable = sent.subject.sink(on: MainActor.shared, receiveCompletion: { events.append("\($0)") }) {
      MainActor.assertIsolated()
      events.append("\($0)")
    }
    sent.elsewhere(1, 2, 3)
    sent.endElsewhere()
    #expect(events.isEmpty)
    while events.count < 4 { await Task.yield() }
    #expect(events == ["1", "2", "3", "finished"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("a value on the main actor delivers earlier pending values first")
  func order() {
    let sent = Sent()
    var values: [Int] = []
    let cancellable = sent.subject.sink(on: MainActor.shared, receiveCompletion: { _ in }) { values.append($0) }
    sent.elsewhere(1, 2)
    sent.subject.send(3)
    #expect(values == [1, 2, 3])
    sent.elsewhere(4)
    sent.subject.send(completion: .finished)
    #expect(values == [1, 2, 3, 4])
    withExtendedLifetime(cancellable) {}
  }

  @Test("no event arrives after a cancellation on the main actor, not even a pending one", arguments: [false, true])
  func cancel(inside: Bool) async {
    let sent = Sent()
    var values: [Int] = []
    var cancellable: AnyCancellable?
    cancellable = sent.subject.sink(on: MainActor.shared, receiveCompletion: { _ in values.append(0) }) { value in
      values.append(value)
      if inside { cancellable = nil }
    }
    sent.elsewhere(1, 2)
    if inside { sent.subject.send(3) } else { cancellable?.cancel() }
    sent.endElsewhere()
    for _ in 0..<10 { await Task.yield() }
    #expect(values == (inside ? [1] : []))
  }

  @Test("a re-entrant value follows the pending ones")
  func nested() {
    let sent = Sent()
    var values: [Int] = []
    let cancellable = sent.subject.sink(on: MainActor.shared, receiveCompletion: { _ in }) { value in
      values.append(value)
      if value == 1 { sent.subject.send(9) }
    }
    sent.elsewhere(1, 2)
    sent.subject.send(3)
    #expect(values == [1, 2, 3, 9])
    withExtendedLifetime(cancellable) {}
  }

  @Test("releases closures at completion and at cancellation, while the cancellable lives", arguments: [false, true])
  func releases(ends: Bool) {
    let kept = Box<Any?>(nil)
    let subject = PassthroughSubject<Int, Never>()
    #expect(
      isReleased { token in
        let cancellable = subject.sink(on: MainActor.shared) { _ in withExtendedLifetime(token) {} }
        kept.value = cancellable
        subject.send(1)
        if ends { subject.send(completion: .finished) } else { cancellable.cancel() }
      })
    withExtendedLifetime(kept) {}
  }

  @Test("assign on the main actor sets there, in order, and immediately where possible")
  func assigns() async {
    let sent = Sent()
    let model = Model()
    let cancellable = sent.subject.replaceError(with: 0).assign(to: \.name, on: model)
    sent.subject.send(1)
    #expect(model.name == 1)
    sent.elsewhere(2, 3)
    #expect(model.name == 1)
    while model.name != 3 { await Task.yield() }
    sent.elsewhere(4)
    cancellable.cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(model.name == 3)
  }

  @Test("assign in a nonisolated function that is called on the main actor does too")
  func assignsForOthers() async {
    let sent = Sent()
    let object = Box(0)
    let cancellable = assignment(of: sent.subject.replaceError(with: 0), to: object)
    sent.subject.send(1)
    #expect(object.value == 1)
    sent.elsewhere(2)
    #expect(object.value == 1)
    while object.value != 2 { await Task.yield() }
    withExtendedLifetime(cancellable) {}
  }

  @Test("assign releases the object after the last value when another thread completes")
  func assignsToTheEnd() async {
    let sent = Sent()
    let source = sent.subject.replaceError(with: 0)
    weak var remains: Model?
    var cancellable: AnyCancellable?
    do {
      let model = Model()
      remains = model
      cancellable = source.assign(to: \.name, on: model)
    }
    sent.elsewhere(5)
    sent.endElsewhere()
    #expect(remains != nil)
    while remains != nil { await Task.yield() }
    withExtendedLifetime(cancellable) {}
  }

  @Test("assign to a nonisolated object sets on the delivering thread, also if called on the main actor")
  func assignsAnywhere() {
    let sent = Sent()
    let relay = AnywhereBox()
    let cancellable = sent.subject.replaceError(with: 0).assign(to: \.value, on: relay)
    sent.elsewhere(1)
    #expect(relay.value == 1)
    withExtendedLifetime(cancellable) {}
  }
}

private nonisolated func assignment(of publisher: some Publisher<Int, Never>, to object: Box<Int>) -> AnyCancellable {
  publisher.assign(to: \.value, on: object)
}

private final class AnywhereBox: @unchecked Sendable {  // One thread after the other uses it.
  nonisolated(unsafe) var value = 0
}

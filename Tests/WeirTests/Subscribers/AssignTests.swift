import Testing
import Weir

@testable import TestSupport

@Suite("assign(to:on:)")
struct AssignTests {
  final class Model {
    var value = 0
    var onDeinit: () -> Void = {}
    deinit { onDeinit() }
  }

  @Test("requests unlimited demand and sets the property")
  func assigns() {
    let source = ManualPublisher<Int, Never>()
    let model = Model()
    let cancellable = source.assign(to: \.value, on: model)
    #expect(source.send(1) == .none)
    #expect(model.value == 1)
    source.send(2)
    #expect(model.value == 2)
    #expect(source.events == [.requested(.unlimited)])
    withExtendedLifetime(cancellable) {}
  }

  @Test("retains the object until completion or cancellation")
  func lifetime() {
    for ends in [false, true] {
      let source = ManualPublisher<Int, Never>()
      var isGone = false
      var model: Model? = Model()
      model?.onDeinit = { isGone = true }
      let cancellable = model.map { source.assign(to: \.value, on: $0) }
      model = nil
      #expect(!isGone)
      if ends { source.send(completion: .finished) } else { cancellable?.cancel() }
      #expect(isGone)
      #expect(source.events == (ends ? [.requested(.unlimited)] : [.requested(.unlimited), .cancelled]))
      withExtendedLifetime((source, cancellable)) {}
    }
  }

  @Test("sets no value after completion, after cancellation or before the subscription")
  func ignores() {
    let model = Model()
    let early = ManualPublisher<Int, Never>(subscribing: false)
    let first = early.assign(to: \.value, on: model)
    early.send(1)
    #expect(model.value == 0)
    first.cancel()
    #expect(early.sendSubscription().events == [.cancelled])
    early.send(2)
    #expect(model.value == 0)
    let ended = ManualPublisher<Int, Never>()
    let second = ended.assign(to: \.value, on: model)
    ended.send(completion: .finished)
    ended.send(3)
    #expect(model.value == 0)
    withExtendedLifetime(second) {}
  }

  @Test("ignores a completion before the subscription")
  func earlyCompletion() {
    let model = Model()
    let source = ManualPublisher<Int, Never>(subscribing: false)
    let cancellable = source.assign(to: \.value, on: model)
    source.send(completion: .finished)
    #expect(source.sendSubscription().events == [.requested(.unlimited)])
    source.send(1)
    #expect(model.value == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test("cancels a second subscription, and keeps the first")
  func secondSubscription() {
    let source = ManualPublisher<Int, Never>()
    let model = Model()
    let cancellable = source.assign(to: \.value, on: model)
    #expect(source.sendSubscription().events == [.cancelled])
    source.send(1)
    #expect(model.value == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test("shows its object and key path, and no object after completion")
  func properties() {
    let model = Model()
    let assign = Subscribers.Assign(object: model, keyPath: \Model.value)
    #expect(assign.object === model)
    #expect(assign.keyPath == \Model.value)
    #expect(assign.description == "Assign \(Model.self).")
    #expect(assign.customMirror.children.map(\.label) == ["object", "keyPath", "status"])
    assign.cancel()
    #expect(assign.object == nil)
  }

  @Test("may set a property whose observer cancels")
  func cancelsInside() {
    final class Watching {
      var value = 0 { didSet { cancellable?.cancel() } }
      var cancellable: AnyCancellable?
    }
    let subject = PassthroughSubject<Int, Never>()
    let watching = Watching()
    watching.cancellable = subject.assign(to: \.value, on: watching)
    subject.send(1)
    subject.send(2)
    #expect(watching.value == 1)
  }
}

import Testing
import Weir

@testable import TestSupport

@Suite("assign(to: a published property)")
struct AssignToPublishedTests {
  final class Model: ObservableObject {
    @Published var number = 0
    @Published var doubled = 0
    var token: Token?
  }

  @Test("requests unlimited demand and sets the property")
  func assigns() {
    let model = Model()
    let manual = ManualPublisher<Int, Never>()
    manual.assign(to: &model.$number)
    #expect(manual.events == [.requested(.unlimited)])
    let recorder = model.$number.record(demanding: .unlimited)
    #expect(manual.send(1) == .none)
    #expect(model.number == 1)
    #expect(recorder.values == [0, 1])
  }

  @Test("is cancelled once, when the object is deallocated")
  func cancelsWithTheObject() {
    let manual = ManualPublisher<Int, Never>()
    do {
      let model = Model()
      manual.assign(to: &model.$number)
      manual.send(1)
    }
    #expect(manual.events == [.requested(.unlimited), .cancelled])
    #expect(manual.send(2) == .none)
    manual.send(completion: .finished)
    #expect(manual.events == [.requested(.unlimited), .cancelled])
    #expect(manual.sendSubscription().events == [.cancelled])
  }

  @Test("is cancelled when the object is deallocated before the subscription")
  func cancelsBeforeTheSubscription() {
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    do {
      let model = Model()
      manual.assign(to: &model.$number)
      manual.send(1)
      #expect(model.number == 1)
    }
    #expect(manual.sendSubscription().events == [.cancelled])
  }

  @Test("continues while the property's publisher exists, but not for a subscription to it")
  func lastsWithThePublisher() {
    let (kept, subscribed) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
    var publisher: Published<Int>.Publisher?
    let recorder: Recorder<Int, Never>
    do {
      let (model, other) = (Model(), Model())
      publisher = model.$number
      kept.assign(to: &model.$number)
      recorder = other.$number.record(demanding: .unlimited)
      subscribed.assign(to: &other.$number)
    }
    kept.send(1)
    #expect(publisher?.record(demanding: .unlimited).values == [1])
    #expect(!kept.events.contains(.cancelled))
    #expect(subscribed.events.last == .cancelled)
    publisher = nil
    #expect(kept.events.last == .cancelled)
    #expect(recorder.values == [0])
  }

  @Test("releases a completed upstream without cancelling it")
  func finishes() {
    let model = Model()
    let manual = ManualPublisher<Int, Never>()
    let isGone = isReleased { token in
      manual.handleEvents(receiveOutput: { [token] _ in withExtendedLifetime(token) {} }).assign(to: &model.$number)
      manual.send(1)
      manual.send(completion: .finished)
      manual.releaseSubscribers()
    }
    #expect(isGone)
    #expect(manual.events == [.requested(.unlimited)])
    #expect(model.number == 1)
  }

  @Test("one property can follow another of the same object, which is still deallocated")
  func noCycle() {
    let isGone = isReleased { token in
      let model = Model()
      model.token = token
      model.$number.map { (number: Int) -> Int in number * 2 }.assign(to: &model.$doubled)
      _ = model.objectWillChange
      model.number = 4
      #expect(model.doubled == 8)
    }
    #expect(isGone)
  }

  @Test("several publishers can be assigned to one property")
  func several() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let model = Model()
    a.assign(to: &model.$number)
    b.assign(to: &model.$number)
    a.send(1)
    b.send(2)
    #expect(model.number == 2)
    a.send(completion: .finished)
    b.send(3)
    #expect(model.number == 3)
  }

  @Test("a subscriber can read the property during an assignment")
  func readsInside() {
    let model = Model()
    var found: [Int] = []
    let changes = model.objectWillChange.sink { found.append(model.number) }
    let values = model.$number.sink { _ in found.append(model.number) }
    [1, 2].publisher.assign(to: &model.$number)
    #expect(found == [0, 0, 0, 1, 1])
    #expect(model.number == 2)
    withExtendedLifetime((changes, values)) {}
  }
}

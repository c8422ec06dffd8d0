import Testing
import Weir

@testable import TestSupport

@Suite("published properties on several threads")
struct ObservationThreadTests {
  final class Model: ObservableObject {
    @Published var number = 0
    @Published var other = 0
  }

  @Test("stores a value of another thread immediately, and the delivering thread delivers it")
  func leavesWithTheOwner() {
    let model = Model()
    let recorder = model.$number.record(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        onAnotherThread {
          model.number = 2
          #expect(model.number == 2)
        }
        #expect(recorder.values == [0, 1])
      }
      return .none
    }
    model.number = 1
    #expect(recorder.values == [0, 1, 2])
    #expect(model.number == 2)
    #expect(model.$number.record(demanding: .unlimited).values == [2])
  }

  @Test("stores the value that is delivered last")
  func agrees() {
    for _ in 0..<Effort.rounds(200) {
      let model = Model()
      let recorder = model.$number.record(demanding: .unlimited)
      race({ for value in 1...20 { model.number = value } }, { for value in 101...120 { model.number = value } })
      #expect(recorder.values.count == 41)
      #expect(recorder.values.last == model.number)
      #expect(model.$number.record(demanding: .unlimited).values == [model.number])
    }
  }

  @Test("concurrent sets, reads and subscriptions are safe, with and without subscribers")
  func races() {
    for isObserved in [false, true] {
      let model = Model()
      let cancellable = isObserved ? model.objectWillChange.sink {} : nil
      var recorders: [Recorder<Int, Never>] = []
      race(
        { for value in 1...2_000 { model.number = value } }, { for _ in 0..<2_000 { _ = model.number } },
        {
          for _ in 0..<200 {
            recorders.append(model.$number.record(demanding: .unlimited))
            recorders.last?.cancel()
          }
        })
      for recorder in recorders { #expect(recorder.values == recorder.values.sorted()) }
      #expect(model.number == 2_000)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("each of several threads that set a property first announces its change, if a mirror hides the property")
  func mirrored() {
    final class Mirrored: ObservableObject, CustomReflectable {
      @Published var number = 0
      var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    }
    for _ in 0..<Effort.rounds(300) {
      let (model, heard) = (Mirrored(), LiveCount())
      let cancellable = model.objectWillChange.sink { @Sendable in heard.add(1) }
      race({ model.number = 1 }, { model.number = 2 })
      #expect(heard.value == 2)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("concurrent first accesses return the same publisher, which announces later changes")
  func firstAccess() {
    for _ in 0..<Effort.rounds(300) {
      let model = Model()
      let found = [Box<(ObservableObjectPublisher, AnyCancellable)?>(nil), Box(nil)]
      let heard = LiveCount()
      func ask(_ index: Int) -> () -> Void {
        {
          let publisher = model.objectWillChange
          found[index].value = (publisher, publisher.sink { heard.add(1) })
          if index == 0 { model.number = 1 } else { model.other = 1 }
        }
      }
      race(ask(0), ask(1))
      #expect(found[0].value?.0 === found[1].value?.0)
      #expect(heard.value >= 2)
    }
  }

  @Test("several threads can create, observe and release objects")
  func churn() {
    final class Unpublished: ObservableObject {}
    func work() {
      for _ in 0..<1_000 {
        let (model, unpublished) = (Model(), Unpublished())
        let heard = LiveCount()
        let cancellables = [
          model.objectWillChange.sink { heard.add(1) }, unpublished.objectWillChange.sink { heard.add(1) },
        ]
        model.number = 1
        unpublished.objectWillChange.send()
        #expect(heard.value == 2)
        withExtendedLifetime(cancellables) {}
      }
    }
    race(work, work)
  }

  @Test("an object can be deallocated during an assignment")
  func assigns() {
    for _ in 0..<Effort.rounds(300) {
      let subject = PassthroughSubject<Int, Never>()
      let model = Box<Model?>(Model())
      if let model = model.value { subject.assign(to: &model.$number) }
      race({ for value in 0..<50 { subject.send(value) } }, { model.value = nil })
      let late = LiveCount()
      let cancellable = subject.sink { _ in late.add(1) }
      subject.send(1)
      #expect(late.value == 1)
      withExtendedLifetime(cancellable) {}
    }
  }
}

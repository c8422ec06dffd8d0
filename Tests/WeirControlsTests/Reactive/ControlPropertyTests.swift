import Dispatch
import Testing
import Weir
import WeirControls
import WeirDispatch
import WeirRx

@testable import TestSupport

@Suite("A control's property")
@MainActor
struct ControlPropertyTests {
  let field = TextField(text: "a")

  @Test("sends the current value, then changes by a person, but not by the application")
  func values() {
    let recorder = field.rx.text.record(demanding: .unlimited)
    field.type("b")
    field.text = "program"
    field.deleteBackward()

    #expect(recorder.events == [.subscription, .value("a"), .value("ab"), .value("progra")])
    #expect(recorder.subscription.map { String(describing: $0) } == "ControlProperty")
  }

  @Test("sends the current value at the first demand, and at the next demand after a missed change")
  func demand() {
    let recorder = field.rx.text.orEmpty.record()
    field.text = "b"
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.values == ["b"])
    recorder.request(.max(1))
    field.type("c")
    #expect(recorder.values == ["b", "bc"])

    field.type("de")
    field.text += "!"
    #expect(recorder.values == ["b", "bc"])
    recorder.request(.max(2))
    #expect(recorder.values == ["b", "bc", "bcde!"])
    field.type("f")
    field.type("g")
    #expect(recorder.values == ["b", "bc", "bcde!", "bcde!f"])
  }

  @Test("uses the demand that a subscriber returns for a value")
  func returnedDemand() {
    let recorder = field.rx.text.orEmpty.record(demanding: .max(1), returning: .max(1))
    field.type("bcd")
    #expect(recorder.values == ["a", "ab", "abc", "abcd"])
  }

  @Test("delivers no value after a cancellation in its getter")
  func cancelInGetter() {
    let recorder = Recorder<String, Never>(demanding: .none)
    let property: ControlProperty<String> = field.rx.controlProperty(editingEvents: .valueChanged) { field in
      recorder.cancel()
      return field.text
    } setter: { _, _ in
    }
    property.subscribe(recorder)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription])
  }

  @Test("delivers a change during a delivery nested")
  func nested() {
    let recorder = Recorder<String, Never>(demanding: .unlimited)
    recorder.onValue = { [field] value in
      MainActor.assumeIsolated { if value == "a" { field.type("b") } }
      return .none
    }
    field.rx.text.orEmpty.subscribe(recorder)
    #expect(recorder.values == ["a", "ab"])
  }

  @Test("delivers on the main actor if another thread requests")
  func requestElsewhere() async {
    let recorder = Recorder<String, Never>()
    field.rx.text.orEmpty.subscribe(recorder)
    nonisolated(unsafe) let subscription = recorder.subscription
    await withCheckedContinuation { continuation in
      recorder.onValue = { _ in
        MainActor.preconditionIsolated()
        continuation.resume()
        return .none
      }
      DispatchQueue.global().async { subscription?.request(.max(1)) }
    }
    #expect(recorder.values == ["a"])
  }

  @Test("finishes when the control is deallocated, and doesn't retain it")
  func end() {
    var control: TextField? = TextField(text: "a")
    weak let weakControl = control
    let property = control?.rx.text
    let recorder = property?.record(demanding: .max(1))
    let idle = property?.record()
    control = nil

    #expect(weakControl == nil)
    #expect(recorder?.events == [.subscription, .value("a"), .finished])
    #expect(idle?.events == [.subscription, .finished])
    idle?.request(.max(1))
    #expect(idle?.events == [.subscription, .finished])
    #expect(property?.value == nil)
    #expect(property?.record(demanding: .unlimited).events == [.subscription, .finished])
    property?.set("b")
  }

  @Test("sends no value after a cancellation, also during a delivery, and leaves the control")
  func cancel() {
    let recorder = Recorder<String, Never>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    field.rx.text.orEmpty.subscribe(recorder)
    field.type("b")
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription, .value("a")])
    #expect(field.allTargets.isEmpty)
  }

  @Test("sets the control as a subscriber, which sends no event")
  func subscriber() {
    let recorder = field.rx.text.record(demanding: .unlimited)
    let subject = PassthroughSubject<String?, Never>()
    subject.subscribe(field.rx.text)
    subject.send("b")
    #expect(field.text == "b")
    subject.send(nil)
    #expect(field.text == "")
    subject.send(completion: .finished)

    let other = TextField()
    let cancellable = other.rx.text.orEmpty.bind(to: field.rx.text)
    other.type("c")
    #expect(field.text == "c")
    cancellable.cancel()
    other.type("d")
    #expect(field.text == "c")
    #expect(recorder.events == [.subscription, .value("a")])
  }

  @Test("doesn't set an equal value again")
  func equal() {
    final class Field: TextField {
      var sets = 0
      override var text: String { didSet { sets += 1 } }
    }
    let field = Field(text: "a")
    field.rx.text.set("a")
    #expect(field.sets == 0)
    field.rx.text.orEmpty.set("b")
    field.rx.text.set("b")
    #expect(field.sets == 1)
  }

  @Test("converts to other types")
  func shapes() {
    let slider = Slider(value: 0.5)
    let percent = slider.rx.value.map(get: { Int($0 * 100) }, set: { Float($0) / 100 })
    let recorder = percent.record(demanding: .unlimited)
    percent.set(20)
    #expect(slider.value == 0.2 && percent.value == 20)
    slider.slide(to: 0.75)
    #expect(recorder.events == [.subscription, .value(50), .value(75)])

    let changes = percent.changed.record(demanding: .unlimited)
    slider.slide(to: 1)
    #expect(changes.events == [.subscription, .value(100)])
    #expect(percent.asPublisher().record(demanding: .unlimited).values == [100])
  }

  @Test("two properties can be bound to each other")
  func bothWays() {
    let (one, two) = (Slider(value: 0.25), Slider())
    let cancellables = [one.rx.value.bind(to: two.rx.value), two.rx.value.bind(to: one.rx.value)]
    #expect(two.value == 0.25)
    two.slide(to: 0.5)
    #expect(one.value == 0.5)
    one.slide(to: 1)
    #expect(two.value == 1)
    withExtendedLifetime(cancellables) {}
  }

  @Test("a user's own control adds one in an extension of a few lines")
  func ownControl() {
    let dial = Dial()
    let recorder = dial.rx.angle.record(demanding: .unlimited)
    dial.turn(to: 1)
    dial.rx.angle.set(2)
    #expect(dial.value == 2)
    #expect(recorder.events == [.subscription, .value(0), .value(1)])
  }

  @Test("stops the program with advice when a subscriber attaches off the main actor")
  func offTheMainActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let text = await MainActor.run { TextField().rx.text }
      await Task.detached { _ = text.sink { _ in } }.value
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("ControlProperty<Optional<String>> was subscribed to off the main actor"))
    #expect(message.contains("subscribe(on: DispatchQueue.main)"))
  }
}

extension Reactive where Base: Dial {
  @MainActor
  fileprivate var angle: ControlProperty<Double> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.value }, setter: { $0.set($1) })
  }
}

@Suite("A control's event")
@MainActor
struct ControlEventTests {
  @Test("sends no initial event, drops events without demand, and finishes with the control")
  func events() {
    var table: TableView? = TableView(rows: 9)
    weak let weakTable = table
    let event = table?.rx.itemSelected
    let recorder = event?.map(\.row).record(demanding: .max(1))
    for row in [3, 4] { table?.tapRow(at: .init(row: row, section: 0)) }
    recorder?.request(.max(1))
    table?.tapRow(at: .init(row: 5, section: 0))
    table = nil

    #expect(weakTable == nil)
    #expect(recorder?.events == [.subscription, .value(3), .value(5), .finished])
    #expect(event?.map(\.row).record().events == [.subscription, .finished])
  }

  @Test("accepts subscribers on any thread through the main queue")
  func subscribeOnMain() async {
    let button = Button()
    let (cancellable, taps) = (Handover<AnyCancellable>(), LiveCount())
    let tap = button.rx.tap
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        cancellable.content = tap.subscribe(on: DispatchQueue.main).sink { taps.add(1) }
        DispatchQueue.main.async { continuation.resume() }
      }
    }
    button.tap()
    #expect(taps.value == 1)
    cancellable.content = nil
  }

  @Test("stops the program when a subscriber attaches off the main actor")
  func offTheMainActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tap = await MainActor.run { Button().rx.tap }
      await Task.detached { _ = tap.sink {} }.value
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("ControlEvent<()> was subscribed to off the main actor"))
  }
}

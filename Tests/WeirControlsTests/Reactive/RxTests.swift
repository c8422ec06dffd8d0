import Testing
import Weir
import WeirControls
import WeirRx

@testable import TestSupport

@Suite("Controls together with Rx's traits")
@MainActor
struct RxTests {
  let field = TextField(text: "a")

  @Test("a property converts to a driver, which replays the latest value to each subscriber")
  func driver() {
    let driver: Driver<String> = field.rx.text.orEmpty.asDriver()
    let first = driver.record(demanding: .unlimited)
    field.type("b")
    let second = driver.record(demanding: .unlimited)
    #expect(first.values == ["a", "ab"])
    #expect(second.values == ["ab"])
  }

  @Test("an event converts to a signal, which replays no event")
  func signal() {
    let button = Button()
    let signal: Signal<Void> = button.rx.tap.asSignal()
    let first = signal.map { 1 }.record(demanding: .unlimited)
    button.tap()
    let second = signal.map { 2 }.record(demanding: .unlimited)
    button.tap()
    #expect(first.values == [1, 1])
    #expect(second.values == [2])
  }

  @Test("a driver doesn't retain the control, and finishes with it")
  func lifetime() {
    var field: TextField? = TextField(text: "a")
    weak let weakField = field
    let recorder = field?.rx.text.orEmpty.asDriver().record(demanding: .unlimited)
    field = nil
    #expect(weakField == nil)
    #expect(recorder?.events == [.subscription, .value("a"), .finished])
  }

  @Test("a property can be created from values and a sink")
  func valuesAndSink() {
    let field = field
    let property = ControlProperty(values: field.rx.text.orEmpty, valueSink: Binder(field) { $0.text = $1 })
    let recorder = property.record(demanding: .unlimited)
    let changes = property.changed.record(demanding: .unlimited)
    #expect(property.value == "a")
    field.type("b")
    property.set("c")
    #expect(field.text == "c" && property.value == "c")
    field.type("d")
    #expect(recorder.values == ["a", "ab", "cd"])
    #expect(changes.values == ["ab", "cd"])
    let relay = CurrentValueRelay("e")
    let binding = property <-> relay
    #expect(field.text == "e")
    field.type("f")
    #expect(relay.value == "ef")
    withExtendedLifetime(binding) {}
  }

  @Test("a property from values and a sink releases the sink with its last copy")
  func releasesSink() {
    let field = field
    var property: ControlProperty<String>?
    let isReleased = isReleased { token in
      let sink = Recorder<String, Never>(demanding: .unlimited)
      sink.onValue = { _ in withExtendedLifetime(token) { .none } }
      property = ControlProperty(values: field.rx.text.orEmpty, valueSink: sink)
      let recorder = property?.record(demanding: .unlimited)
      property?.set("b")
      #expect(sink.values == ["b"])
      recorder?.cancel()
      property = nil
    }
    #expect(isReleased)
  }

  @Test("bind(to:) accepts binders, properties, relays and several subscribers, also for failing publishers")
  func bind() {
    let (label, other, failed, button) = (Label(), Label(), Label(), Button())
    let optional = TextField()
    let relay = PassthroughRelay<String>()
    let failing = PassthroughSubject<String, TestError>()
    let bag = CancelBag()
    let (latest, latestOptional) = (CurrentValueRelay(""), CurrentValueRelay<String?>(nil))
    relay.bind(to: label.rx.text).store(in: bag)
    relay.bind(to: label.rx.text, button.rx.title).store(in: bag)
    relay.bind(to: field.rx.text).store(in: bag)
    relay.bind(to: latest).store(in: bag)
    relay.bind(to: latestOptional).store(in: bag)
    failing.bind(to: other.rx.text).store(in: bag)
    failing.bind(to: failed.rx.text, field.rx.text.orEmpty).store(in: bag)
    failing.bind(to: optional.rx.text).store(in: bag)
    relay.accept("b")
    #expect(label.text == "b" && button.title == "b" && field.text == "b")
    failing.send("c")
    #expect(failed.text == "c" && field.text == "c" && optional.text == "c")
    #expect(latest.value == "b" && latestOptional.value == "b" && other.text == "c")
    relay.asDriver().drive(button.rx.title).store(in: bag)
    relay.asSignal().emit(to: label.rx.text).store(in: bag)
    relay.accept("d")
    #expect(label.text == "d" && button.title == "d")
  }
}

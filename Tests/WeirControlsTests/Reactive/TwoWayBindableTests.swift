import Testing
import Weir
import WeirControls
import WeirRx

@testable import TestSupport

@Suite("Two-way bindings of controls")
@MainActor
struct TwoWayTests {
  final class Model: ObservableObject {
    @Published var username = "ada"
    @Published var isOn = true
  }

  let field = TextField()

  @Test("binds a text field and a relay")
  func relay() {
    let relay = CurrentValueRelay("ada")
    let recorder = relay.record(demanding: .unlimited)
    let binding = field.rx.text.orEmpty <-> relay
    #expect(field.text == "ada")
    field.type("!")
    relay.accept("bob")
    #expect(field.text == "bob")
    field.type("?")
    #expect(recorder.values == ["ada", "ada!", "bob", "bob?"])
    binding.cancel()
    field.type("?")
    relay.accept("eve")
    #expect(field.text == "bob??")
    #expect(recorder.values.count == 5)
  }

  @MainActor
  final class Account: ObservableObject {
    @Published var name = "" {
      didSet { MainActor.preconditionIsolated() }
    }
  }

  @Test("a change on another thread hops to the main actor before a binding observes it, and is set there")
  func hop() async {
    let (account, name) = (Account(), CurrentValueRelay("ada"))
    let binding = PropertyChannel(account, \.name) <-> name
    let downloads = PassthroughSubject<String, Never>()
    let bag = CancelBag()
    downloads.receive(on: MainScheduler.shared).bind(to: name).store(in: bag)
    await withCheckedContinuation { continuation in
      account.$name.filter { $0 == "bob" }.first().sink { _ in continuation.resume() }.store(in: bag)
      onAnotherThread { downloads.send("bob") }
      #expect(name.value == "ada")
    }
    #expect(account.name == "bob")
    withExtendedLifetime(binding) {}
  }

  @Test("binds a text field and a published property by its key path")
  func published() {
    let model = Model()
    let binding = bind(field.rx.text.orEmpty, to: model, \.username)
    #expect(field.text == "ada")
    field.type("!")
    #expect(model.username == "ada!")
    model.username = "bob"
    #expect(field.text == "bob")
    withExtendedLifetime(binding) {}
  }

  @Test("binds two controls, with a text between them that trims itself")
  func controls() {
    let (one, other) = (Slider(), Slider())
    let binding = one.rx.value <-> other.rx.value
    one.slide(to: 0.5)
    #expect(other.value == 0.5)
    other.slide(to: 0.25)
    #expect(one.value == 0.25)
    let narrow = Slider(value: 0, in: 0...0.3)
    let second = narrow.rx.value <-> CurrentValueRelay<Float>(0)
    withExtendedLifetime((binding, second)) {}
  }

  @Test("a control that can't accept the value returns a corrected one")
  func corrected() {
    let (slider, relay) = (Slider(), CurrentValueRelay<Float>(0))
    let binding = slider.rx.value <-> relay
    relay.accept(7)
    #expect(slider.value == 1)
    #expect(relay.value == 1)
    withExtendedLifetime(binding) {}
  }

  @Test("the last value that another thread sets reaches the control on the main actor")
  func otherThread() async {
    let relay = CurrentValueRelay("")
    let binding = field.rx.text.orEmpty <-> relay
    await Task.detached { for number in 1...100 { relay.accept("\(number)") } }.value
    while field.text != "100" { await Task.yield() }
    field.type("0")
    #expect(relay.value == "1000")
    withExtendedLifetime(binding) {}
  }

  @Test("terminates when the control is deallocated, which it holds weakly")
  func ends() {
    let relay = CurrentValueRelay("")
    weak var remains: TextField?
    var binding: AnyCancellable?
    do {
      let field = TextField()
      remains = field
      binding = field.rx.text.orEmpty <-> relay
    }
    #expect(remains == nil)
    relay.accept("nobody")
    withExtendedLifetime(binding) {}
  }
}

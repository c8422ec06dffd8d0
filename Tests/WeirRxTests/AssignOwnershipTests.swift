import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("assign(to:on:ownership:)")
struct AssignOwnershipTests {
  final class Model {
    var text = ""
    var connection: AnyCancellable?
  }

  @MainActor
  final class Screen {
    var text = ""
  }

  @Test("sets the property with every ownership", arguments: [ObjectOwnership.strong, .weak, .unowned])
  func sets(ownership: ObjectOwnership) {
    let (model, source) = (Model(), ManualPublisher<String, Never>())
    let connection = source.assign(to: \.text, on: model, ownership: ownership)
    source.send("a")
    #expect(model.text == "a")
    connection.cancel()
    #expect(source.isCancelledOnce)
  }

  @Test("releases an object that assigns to itself, unless the ownership is strong")
  func lifetime() {
    for ownership in [ObjectOwnership.strong, .weak, .unowned] {
      let source = PassthroughSubject<String, Never>()
      weak var remains: Model?
      do {
        let model = Model()
        model.connection = source.assign(to: \.text, on: model, ownership: ownership)
        remains = model
      }
      #expect((remains != nil) == (ownership == .strong))
      source.send(completion: .finished)
      #expect(remains == nil)
    }
  }

  @Test("cancels at the first value after a weakly held object has been deallocated")
  func gone() {
    let source = ManualPublisher<String, Never>()
    let connection = source.assign(to: \.text, on: Model(), ownership: .weak)
    #expect(source.events == [.requested(.unlimited)])
    source.send("a")
    #expect(source.isCancelledOnce)
    withExtendedLifetime(connection) {}
  }

  @Test(
    "sets a property of the main actor there, for values from any thread",
    arguments: [ObjectOwnership.strong, .weak, .unowned])
  @MainActor
  func mainActor(ownership: ObjectOwnership) async {
    let (screen, source) = (Screen(), PassthroughSubject<String, Never>())
    let connection = source.assign(to: \.text, on: screen, ownership: ownership)
    source.send("a")
    #expect(screen.text == "a")
    onAnotherThread { source.send("b") }
    #expect(screen.text == "a")
    while screen.text != "b" { await Task.yield() }
    withExtendedLifetime(connection) {}
  }

  @Test(
    "sets a property of an actor there, for values from any thread",
    arguments: [ObjectOwnership.strong, .weak, .unowned])
  func otherActor(ownership: ObjectOwnership) async {
    actor Library {
      let model = Model()

      func listen(to source: PassthroughSubject<String, Never>, _ ownership: ObjectOwnership) {
        model.connection = source.assign(to: \.text, on: model, ownership: ownership)
        source.send("a")
      }

      func text() -> String { model.text }

      func cancel() { model.connection = nil }
    }
    let (library, source) = (Library(), PassthroughSubject<String, Never>())
    await library.listen(to: source, ownership)
    #expect(await library.text() == "a")
    source.send("b")
    while await library.text() != "b" { await Task.yield() }
    await library.cancel()
  }
}

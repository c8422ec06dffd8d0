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

  @Test("sets the property, whatever the ownership", arguments: [ObjectOwnership.strong, .weak, .unowned])
  func sets(ownership: ObjectOwnership) {
    let (model, source) = (Model(), ManualPublisher<String, Never>())
    let connection = source.assign(to: \.text, on: model, ownership: ownership)
    source.send("a")
    #expect(model.text == "a")
    connection.cancel()
    #expect(source.isCancelledOnce)
  }

  @Test("lets an object go that assigns to itself, unless it is kept strongly")
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

  @Test("cancels at the first value after a weakly kept object has gone")
  func gone() {
    let source = ManualPublisher<String, Never>()
    let connection = source.assign(to: \.text, on: Model(), ownership: .weak)
    #expect(source.events == [.requested(.unlimited)])
    source.send("a")
    #expect(source.isCancelledOnce)
    withExtendedLifetime(connection) {}
  }

  @Test("sets what belongs to the main actor")
  @MainActor
  func mainActor() {
    let (screen, source) = (Screen(), PassthroughSubject<String, Never>())
    let connection = source.assign(to: \.text, on: screen, ownership: .weak)
    source.send("a")
    #expect(screen.text == "a")
    withExtendedLifetime(connection) {}
  }
}

import Foundation
import Testing
import Weir
import WeirControls
import WeirRx
import WeirTesting

/// Every Swift block of the README stands here word for word, and runs.
@Suite("README")
@MainActor
struct ReadmeTests {
  @Test("has no Swift block that isn't run here")
  func blocks() throws {
    try checkBlocks(of: "README.md", count: 3)
  }

  @Test("shows a button that can't submit twice")
  func submitting() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }
    let button = Button(title: "Sign up")
    let answers = PassthroughSubject<String, Never>()
    var submissions = 0
    func submit() -> some Publisher<String, Never> {
      submissions += 1
      return answers.first()
    }
    var bag = Set<AnyCancellable>()

    button.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { _ in submit() }
      .map { "welcome, \($0)" }
      .sink { print($0) }
      .store(in: &bag)

    button.tap()
    button.tap()
    #expect(submissions == 1)
    answers.send("ada")
    button.tap()
    #expect(submissions == 2)
    #expect(printed.lines == ["welcome, ada"])
  }

  @Test("shows two values that are one")
  func twoWay() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }
    let field = TextField()

    let name = CurrentValueRelay("ada")
    let binding = field.rx.text.orEmpty <-> name
    field.type(" lovelace")
    print(name.value)  // ada lovelace
    name.accept("grace")  // and that is in the field now

    #expect(printed.lines == ["ada lovelace"])
    #expect(field.text == "grace")
    withExtendedLifetime(binding) {}
  }

  @Test("shows how to test under demand")
  func testing() throws {
    try verify([1, 2, 3].publisher.map { $0 * 10 }) {
      request(2)
      next(10, 20)
      noEvent()  // the third waits until somebody asks
    }
  }
}

/// What the blocks print.
private final class Printed {
  private(set) var lines: [String] = []

  func append(_ line: String) {
    lines.append(line)
  }
}

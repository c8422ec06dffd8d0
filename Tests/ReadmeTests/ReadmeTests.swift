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
    let file = URL(filePath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let source = Self.squeezed(try String(contentsOf: file, encoding: .utf8))
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { block in
      block.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 7)
    for block in blocks {
      let code = block.split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
      #expect(source.contains(Self.squeezed(code)), "not run:\n\(code)")
    }
  }

  /// The code as the compiler sees it, whatever its indentation, so that the formatter may indent it here.
  private static func squeezed(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test("shows a first pipeline")
  func firstPipeline() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }

    let numbers = PassthroughSubject<Int, Never>()
    var bag = Set<AnyCancellable>()

    numbers
      .filter { $0 % 2 == 0 }
      .map { "number \($0)" }
      .sink { print($0) }
      .store(in: &bag)

    for number in 1...4 { numbers.send(number) }  // number 2, number 4
    #expect(printed.lines == ["number 2", "number 4"])
  }

  @Test("shows how to await")
  func awaiting() async {
    let printed = Printed()
    func print(_ number: Int) { printed.append("\(number)") }
    @Sendable func double(_ number: Int) async -> Int { number * 2 }

    let doubled = (1...1_000_000).publisher
      .asyncMap(maxPublishers: .max(2)) { number in await double(number) }

    for await number in doubled.values {
      print(number)  // 2, 4, 6
      if number == 6 { break }  // and no more is asked for
    }

    let first = await doubled.first  // 2
    #expect(printed.lines == ["2", "4", "6"])
    #expect(first == 2)
  }

  @Test("shows how to test under demand")
  func testing() throws {
    let scheduler = VirtualTimeScheduler()
    let typed = try TestPublisher<String, Never>(marbles: "ab--c----|", on: scheduler)

    try typed
      .debounce(for: 2, scheduler: scheduler)
      .expect(marbles: "---b--c--|", demand: "∞", on: scheduler)

    try verify([1, 2, 3].publisher.map { $0 * 10 }) {
      request(2)
      next(10, 20)
      noEvent()
      request(.unlimited)
      next(30)
      finished()
    }
  }

  @Test("shows a control as a publisher")
  func control() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }

    let button = Button(title: "Save")
    var bag = Set<AnyCancellable>()

    button.publisher(for: .touchUpInside)
      .sink { print("\($0.title) was tapped") }
      .store(in: &bag)

    button.tap()  // Save was tapped
    bag.removeAll()
    button.tap()

    #expect(printed.lines == ["Save was tapped"])
  }

  @Test("shows a subscriber that sets the pace")
  func pace() {
    let printed = Printed()
    func print(_ value: Int) { printed.append("\(value)") }

    let pace = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: { value in
        print(value)
        return value < 3 ? .max(1) : .none
      })

    (1...1_000_000).publisher.subscribe(pace)  // 1, 2, 3, 4: the rest is never made

    #expect(printed.lines == ["1", "2", "3", "4"])
  }

  @Test("shows a button that submits once at a time")
  func submissions() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }

    let signup = Button(title: "Sign up")
    let answers = PassthroughSubject<String, Never>()
    var bag = Set<AnyCancellable>()

    signup.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { _ in
        print("submitting")
        return answers.first()
      }
      .sink { print($0) }
      .store(in: &bag)

    signup.tap()  // submitting
    signup.tap()
    answers.send("welcome")  // welcome
    signup.tap()  // submitting

    #expect(printed.lines == ["submitting", "welcome", "submitting"])
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
    name.accept("grace")
    print(field.text)  // grace

    #expect(printed.lines == ["ada lovelace", "grace"])
    withExtendedLifetime(binding) {}
  }
}

/// What the blocks print.
private final class Printed {
  private(set) var lines: [String] = []

  func append(_ line: String) {
    lines.append(line)
  }
}

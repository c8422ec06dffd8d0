import Foundation
import Testing
import Weir
import WeirControls

/// Every Swift block of the README stands here word for word, and runs.
@Suite("README")
@MainActor
struct ReadmeTests {
  @Test("has no Swift block that isn't run here")
  func blocks() throws {
    try checkBlocks(of: "README.md", count: 1)
  }

  @Test("shows a button that can't submit twice")
  func submitting() {
    let printed = Printed()
    func print(_ text: String) { printed.append(text) }

    let (button, answers) = (Button(title: "Sign up"), PassthroughSubject<String, Never>())
    let signups = button.publisher(for: .touchUpInside)
      .flatMap(maxPublishers: .max(1)) { _ in answers.first() }  // one at a time
      .sink { print("welcome, \($0)") }
    for _ in 1...2 { button.tap() }  // the second tap finds no demand
    answers.send("ada")

    answers.send("grace")
    #expect(printed.lines == ["welcome, ada"])
    button.tap()
    answers.send("grace")
    #expect(printed.lines == ["welcome, ada", "welcome, grace"])
    withExtendedLifetime(signups) {}
  }

  @Test("has no link to a file that isn't there")
  func links() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    for page in ["README.md", "Examples/SignupForm/README.md", ".github/CONTRIBUTING.md"] {
      let file = root.appending(path: page)
      let text = try String(contentsOf: file, encoding: .utf8)
      let links = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }.filter { !$0.contains("://") }
      #expect(!links.isEmpty)
      for link in links {
        let target = file.deletingLastPathComponent().appending(path: link)
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link)")
      }
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

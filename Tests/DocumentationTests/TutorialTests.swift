import Foundation
import Testing

/// The code of the tutorial compiles at every step, and ends as the example is.
@Suite("The tutorial", .serialized)
struct TutorialTests {
  static let folder = "Sources/WeirControls/WeirControls.docc/Tutorials"

  static let steps: [FollowedPage.Step] =
    (try? FollowedPage("\(folder)/SignupForm.tutorial", root: Article.root))?.packages.last ?? []

  /// How many steps have been followed when a file has been written.
  static let counts: [Int] = steps.enumerated().compactMap {
    if case .write = $0.element.action { $0.offset + 1 } else { nil }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: Article.root.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test("compiles at every step", arguments: counts)
  func step(count: Int) async throws {
    guard let compiler = Compiler() else { return }
    let complaints = try await compiler.complaints(about: Self.steps.prefix(count).files)
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test("ends as the example is", arguments: ["Form.swift", "SignupModel.swift", "AccountDirectory.swift"])
  func end(file: String) {
    var last: [String]?
    for step in Self.steps {
      if case .write("Sources/SignupForm/\(file)", let lines, _) = step.action { last = lines }
    }
    let isTheSame = last.map { $0.joined(separator: "\n") + "\n" } == Self.text("Examples/SignupForm/\(file)")
    #expect(isTheSame, "the tutorial's last \(file) is not the example's")
  }

  @Test("shows every file that it has")
  func files() throws {
    let written = try FileManager.default.contentsOfDirectory(
      atPath: Article.root.appending(path: "\(Self.folder)/Code").path)
    let shown = Self.steps.map { URL(filePath: $0.source).lastPathComponent }
    #expect(Set(shown).subtracting(["SignupForm.tutorial"]) == Set(written))
  }
}

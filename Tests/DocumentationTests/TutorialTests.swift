import Foundation
import Testing

/// The code of the tutorial compiles at every step, and ends as the example is.
@Suite("The tutorial", .serialized)
struct TutorialTests {
  static let folder = "Sources/WeirControls/WeirControls.docc/Tutorials"

  /// What a step of the tutorial leaves in the folder of the package.
  struct Step: CustomTestStringConvertible, Sendable {
    /// The file that the step shows.
    let shown: String

    /// The files by their paths in the folder.
    let files: [String: String]

    var testDescription: String { shown }
  }

  static let steps: [Step] = {
    var (steps, files): ([Step], [String: String]) = ([], [:])
    let code = /@Code\(name: "([^"]+)", file: "([^"]+)"\)/
    for match in text("\(folder)/SignupForm.tutorial").matches(of: code) {
      files[String(match.output.1)] = text("\(folder)/Code/\(match.output.2)")
      steps.append(Step(shown: String(match.output.2), files: files))
    }
    return steps
  }()

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: Article.root.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test("compiles at every step", arguments: steps)
  func step(_ step: Step) async throws {
    guard let compiler = Compiler() else { return }
    func files(below folder: String) -> [String: String] {
      let files = step.files.filter { $0.key.hasPrefix(folder) }
      return Dictionary(uniqueKeysWithValues: files.map { (String($0.key.dropFirst(folder.count)), $0.value) })
    }
    if step.files.count == 1, let manifest = step.files["Package.swift"] {
      let complaints = try await compiler.complaints(aboutManifest: manifest)
      #expect(complaints.isEmpty, "\(complaints)")
    }
    let sources = files(below: "Sources/SignupForm/")
    guard !sources.isEmpty else { return }
    let complaints = try await compiler.complaints(
      about: sources, named: "SignupForm", tests: files(below: "Tests/SignupFormTests/"))
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test("ends as the example is", arguments: ["Form.swift", "SignupModel.swift", "AccountDirectory.swift"])
  func end(file: String) {
    let isTheSame = Self.steps.last?.files["Sources/SignupForm/\(file)"] == Self.text("Examples/SignupForm/\(file)")
    #expect(isTheSame, "the tutorial's last \(file) is not the example's")
  }

  @Test("shows every file that it has")
  func files() throws {
    let written = try FileManager.default.contentsOfDirectory(
      atPath: Article.root.appending(path: "\(Self.folder)/Code").path)
    #expect(Set(Self.steps.map(\.shown)) == Set(written))
  }
}

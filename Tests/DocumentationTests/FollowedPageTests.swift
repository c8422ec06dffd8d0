import Foundation
import Testing

/// The commands and files of the documentation exist.
///
/// `.ci/pages` runs the commands that make packages.
@Suite("The steps of the documentation")
struct FollowedPageTests {
  static let pages: [FollowedPage] =
    (["README.md", ".github/CONTRIBUTING.md"] + Article.paths(endingIn: ".md") + Article.paths(endingIn: ".tutorial"))
    .compactMap { try? FollowedPage($0, root: Article.root) }

  @Test("make packages that have what their commands run", arguments: pages)
  func packages(page: FollowedPage) throws {
    for package in page.packages.dropFirst() {
      var manifest = ""
      var wasRun = false
      for step in package {
        switch step.action {
        case .write("Package.swift", let lines, _): manifest = lines.joined(separator: "\n")
        case .write: break
        case .run(let commands, _):
          for command in commands {
            let words = command.split(separator: " ").map(String.init)
            switch (words[0], words.dropFirst().first) {
            case ("mkdir", _), ("cd", _): break
            case ("swift", "run"):
              #expect(manifest.contains(".executableTarget"))
              #expect(words.count == 2 || manifest.contains("name: \"\(words[2])\""), "line \(step.line): \(command)")
              wasRun = true
            case ("swift", "test"):
              #expect(manifest.contains(".testTarget"), "line \(step.line): \(command)")
              wasRun = true
            default: Issue.record("line \(step.line): this check doesn't know \(command)")
            }
          }
        }
      }
      #expect(wasRun, "the page makes a package and doesn't run it")
    }
  }

  @Test("run commands in the clone that it has", arguments: pages)
  func commands(page: FollowedPage) throws {
    let inProse = try text(of: page.path).matches(of: /`((?:WEIR_|swift [a-z]+ [^`]|\.ci\/)[^`]*)`/)
      .map { String($0.output.1) }
    for command in page.commandsInClone + inProse {
      var words = command.replacing(/\s+#.*/, with: "").split(separator: " ").map(String.init)[...]
      words = words.drop { $0.contains(/^WEIR_[A-Z]+=/) }
      guard let program = words.popFirst(), !program.hasPrefix("WEIR_") else { continue }
      guard program == "swift" else {
        #expect(FileManager.default.isExecutableFile(atPath: path(program)) || isFile(program), "\(command)")
        if program == ".ci/full" { try checkParts(words.filter { !$0.hasPrefix("-") && !$0.contains("/") }) }
        continue
      }
      let action = words.popFirst()
      let folder = value(of: "--package-path", in: &words) ?? "."
      for option in ["-c", "--scratch-path"] { _ = value(of: option, in: &words) }
      switch action {
      case "run":
        let name = words.first { !$0.hasPrefix("-") } ?? ""
        #expect(try text(of: "\(folder)/Package.swift").contains("name: \"\(name)"), "\(command)")
      case "test":
        let filter = value(of: "--filter", in: &words) ?? "WeirTests"
        let paths = FileManager.default.subpaths(atPath: path("Tests")) ?? []
        #expect(paths.contains { $0 == filter || $0.hasSuffix("/\(filter).swift") }, "\(command)")
      case "build", "package", "format": break
      default: Issue.record("this check doesn't know \(command)")
      }
    }
  }

  @Test("name files that are there, or that the page writes", arguments: pages)
  func files(page: FollowedPage) throws {
    let written = page.packages.flatMap { $0.files.map(\.path) }
    for match in try text(of: page.path).matches(of: /`((?:Sources|Tests|Examples|\.ci|\.github)\/[^` *…]+)`/) {
      let name = String(match.output.1)
      #expect(isFile(name) || written.contains { $0 == name || $0.hasPrefix("\(name)/") }, "there is no \(name)")
    }
  }

  @Test("are found")
  func found() {
    let complete = Self.pages.filter { $0.packages.count > 1 }.map(\.path)
    #expect(complete.contains("README.md") && complete.contains("Sources/Weir/Weir.docc/GettingStarted.md"))
    #expect(complete.contains { $0.hasSuffix(".tutorial") })
    #expect(Self.pages[0].commandsInClone.count == 2)
  }

  private func checkParts(_ parts: some Sequence<String>) throws {
    let names = try #require(try text(of: ".ci/full").firstMatch(of: /\nnames=\(([^)]*)\)/)).output.1
    let known = names.split(whereSeparator: { " \n\"".contains($0) })
    for part in parts { #expect(known.contains(Substring(part)), "there is no part \(part)") }
  }

  private func value(of option: String, in words: inout ArraySlice<String>) -> String? {
    guard let index = words.firstIndex(of: option), index + 1 < words.endIndex else { return nil }
    let value = words[index + 1]
    words.removeSubrange(index...index + 1)
    return value
  }

  private func path(_ path: String) -> String { Article.root.appending(path: path).path }

  private func isFile(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(file)) }

  private func text(of file: String) throws -> String {
    try String(contentsOf: Article.root.appending(path: file), encoding: .utf8)
  }
}

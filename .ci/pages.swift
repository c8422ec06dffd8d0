// Writes scripts for .ci/pages, with the steps of a reader that follows the documentation. It is compiled with
// Tests/DocumentationTests/FollowedPage.swift, which reads the pages.
//
//   pages FOLDER PAGE…   writes NAME.sh for each page that creates packages, and Snippets.sh for the code of the others

import Foundation

@main
struct Pages {
  static func main() throws {
    let folder = URL(filePath: CommandLine.arguments[1])
    let root = URL(filePath: FileManager.default.currentDirectoryPath)
    var scripts: [(name: String, text: String)] = []
    var snippets: [FollowedPage.Step] = []
    for path in CommandLine.arguments[2...] {
      let page = try FollowedPage(path, root: root)
      snippets += page.packages[0]
      let packages = page.packages.dropFirst()
      let name = path.replacing(/.*\//, with: "").replacing(/\..*/, with: "")
      if !packages.isEmpty { scripts.append((name, packages.map { script(of: $0) }.joined(separator: "\n"))) }
    }
    if !snippets.isEmpty { scripts.append(("Snippets", package(of: snippets))) }
    for script in scripts {
      try script.text.write(to: folder.appending(path: "\(script.name).sh"), atomically: true, encoding: .utf8)
    }
  }

  /// The steps of a package.
  ///
  /// `begin`, `follow` and `expect` are functions of .ci/pages.
  static func script(of steps: [FollowedPage.Step]) -> String {
    var script = "begin\n"
    for step in steps {
      switch step.action {
      case .write(let file, let lines, let continues):
        script += writing(lines.joined(separator: "\n"), to: file, continues: continues)
      case .run(let commands, let prints):
        script += "follow \(quoted("\(step.source):\(step.line)"))"
        script += commands.map { " \\\n  \(quoted($0))" }.joined() + "\n"
        if let prints { script += "expect \(quoted(prints.joined(separator: "\n")))\n" }
      }
    }
    return script
  }

  /// A package with a target for the code of each page that creates no package.
  static func package(of snippets: [FollowedPage.Step]) -> String {
    let products = ["Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls", "WeirTesting"]
    let files = snippets.files
    var commands = ["swift build --build-tests"]
    let targets = files.map { file in
      let parts = file.path.split(separator: "/")
      let isTest = parts[0] == "Tests"
      commands.append(isTest ? "swift test --filter \(parts[1])" : "swift run \(parts[1])")
      return ".\(isTest ? "testTarget" : "executableTarget")(name: \"\(parts[1])\", dependencies: products)"
    }
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let products: [Target.Dependency] = \(products).map { .product(name: $0, package: "Weir") }
      let package = Package(
        name: "Snippets",
        platforms: [.macOS(.v15)],
        dependencies: [.package(path: "../Weir")],
        targets: [
          \(targets.joined(separator: ",\n    "))
        ]
      )
      """
    return "begin\nfollow Snippets 'mkdir Snippets' 'cd Snippets'\n" + writing(manifest, to: "Package.swift")
      + files.map { writing($0.text, to: $0.path) }.joined()
      + "follow Snippets \(commands.map { quoted($0) }.joined(separator: " "))\n"
  }

  static func writing(_ text: String, to file: String, continues: Bool = false) -> String {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    return (folder.isEmpty ? "" : "mkdir -p \(folder)\n")
      + "cat \(continues ? ">>" : ">") \(file) <<'END OF FILE'\n\(continues ? "\n" : "")\(text)\nEND OF FILE\n"
  }

  static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

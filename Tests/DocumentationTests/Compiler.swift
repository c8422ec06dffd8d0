import Foundation
import Testing

/// On Linux, where CI is, there is all that is needed.
private func notTested(_ reason: String) {
  #if os(Linux)
  Issue.record("\(reason)")
  #else
  print("Not tested: \(reason)")
  #endif
}

/// The compiler that is in the path, with the modules of this build.
struct Compiler: Sendable {
  private let executable: URL
  private let modules: URL

  /// `nil`, having said so, where there is no compiler or these tests have no folder of modules.
  init?() {
    let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let executable = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let executable, FileManager.default.fileExists(atPath: modules.path) else {
      notTested("There is no swiftc in PATH, or no modules at \(modules.path).")
      return nil
    }
    self.executable = executable
    self.modules = modules
  }

  /// What the compiler complains of in the targets of a package, each of which may import those before it: nothing if
  /// they are right.
  func complaints(about files: [(path: String, text: String)]) async throws -> String {
    var targets: [(name: String, files: [String: String])] = []
    for file in files where file.path != "Package.swift" {
      let parts = file.path.split(separator: "/").map(String.init)
      let index = targets.firstIndex { $0.name == parts[1] } ?? targets.endIndex
      if index == targets.endIndex { targets.append((parts[1], [:])) }
      targets[index].files[parts[2...].joined(separator: "-")] = file.text
    }
    return try await inFolder { folder in
      for target in targets {
        let sources = folder.appending(path: target.name)
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let complaints = try await compile(
          target.files, in: sources,
          [
            "-emit-sil", "-o", "module.sil", "-module-name", target.name, "-I", "..", "-enable-testing",
            "-emit-module-path", "../\(target.name).swiftmodule",
            // A client's own flags may not matter, so a page imports what it uses.
            "-enable-upcoming-feature", "MemberImportVisibility",
          ] + (target.files["main.swift"] == nil ? ["-parse-as-library"] : []))
        guard complaints.isEmpty else { return complaints }
      }
      return ""
    }
  }

  /// What the compiler complains of in a manifest.
  func complaints(aboutManifest manifest: String) async throws -> String {
    // Beside the compiler's own libraries.
    let library = executable.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/swift/pm/ManifestAPI")
    guard FileManager.default.fileExists(atPath: library.path) else { return "" }
    return try await inFolder { folder in
      try await compile(
        ["Package.swift": manifest], in: folder,
        ["-typecheck", "-package-description-version", "6.2", "-I", library.path])
    }
  }

  private func inFolder(_ body: (URL) async throws -> String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  private func compile(_ files: [String: String], in folder: URL, _ arguments: [String]) async throws -> String {
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    let process = Process()
    process.executableURL = executable
    process.currentDirectoryURL = folder
    process.arguments =
      ["-wmo", "-swift-version", "6", "-warnings-as-errors", "-I", modules.path] + arguments + files.keys.sorted()
    process.standardError = try FileHandle(forWritingTo: log)
    // No test waits on a thread that other tests run on.
    try await withCheckedThrowingContinuation { (finished: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in finished.resume() }
      do { try process.run() } catch { finished.resume(throwing: error) }
    }
    guard process.terminationStatus != 0 else { return "" }
    let said = try String(contentsOf: log, encoding: .utf8)
    return said.isEmpty ? "The compiler ended with status \(process.terminationStatus)." : said
  }
}

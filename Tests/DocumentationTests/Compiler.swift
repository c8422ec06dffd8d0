import Foundation

/// The compiler that is in the path, with the modules of this build.
struct Compiler: Sendable {
  private let executable: URL
  private let modules: URL

  /// `nil`, with a line that says so, where there is no compiler or these tests have no folder of modules.
  init?() {
    let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let executable = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let executable, FileManager.default.fileExists(atPath: modules.path) else {
      print("Not tested: there is no swiftc in PATH, or no modules at \(modules.path).")
      return nil
    }
    self.executable = executable
    self.modules = modules
  }

  /// What the compiler complains of in a program of these files: nothing if it is right.
  func complaints(about files: [String: String], _ arguments: String...) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    let process = Process()
    process.executableURL = executable
    process.currentDirectoryURL = folder
    process.arguments =
      ["-emit-sil", "-o", "/dev/null", "-wmo", "-swift-version", "6", "-suppress-warnings", "-I", modules.path]
      + arguments + files.keys.sorted()
    process.standardError = try FileHandle(forWritingTo: log)
    // Nobody waits on a thread that other tests run on.
    try await withCheckedThrowingContinuation { (finished: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in finished.resume() }
      do { try process.run() } catch { finished.resume(throwing: error) }
    }
    guard process.terminationStatus != 0 else { return "" }
    let said = try String(contentsOf: log, encoding: .utf8)
    return said.isEmpty ? "The compiler ended with status \(process.terminationStatus)." : said
  }
}

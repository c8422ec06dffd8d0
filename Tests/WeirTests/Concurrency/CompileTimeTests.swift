import Foundation
import Testing

/// Programs that the compiler accepts or rejects.
///
/// The tests run the compiler with the modules of this build.
@Suite("What the compiler rejects")
struct CompileTimeTests {
  @Test("correct code compiles")
  func control() throws {
    try expect(
      """
      @MainActor final class Label { var text = 0 }
      @MainActor func show(_ values: PassthroughSubject<Int, Never>, _ label: Label) -> [AnyCancellable] {
        let send: @Sendable () -> Void = { values.send(1) }
        send()
        return [
          values.sink { label.text = $0 },
          values.sink(on: MainActor.shared) { label.text = $0 },
          values.assign(to: \\.text, on: label),
        ]
      }
      func showElsewhere(_ values: some Publisher<Int, Never>, _ label: Label) -> AnyCancellable {
        values.sink(on: MainActor.shared) { label.text = $0 }
      }
      """)
  }

  @Test("a nonisolated closure can't access the main actor's state")
  func noActor() throws {
    try expect(
      """
      @MainActor final class Label { var text = 0 }
      func show(_ values: PassthroughSubject<Int, Never>, _ label: Label) -> AnyCancellable {
        values.sink { label.text = $0 }
      }
      """, refusedWith: "main actor-isolated property 'text' can not be mutated from a nonisolated context")
  }

  @Test("a closure for sink(on:) can't access another actor's state")
  func otherActor() throws {
    try expect(
      """
      actor Store { var total = 0 }
      func add(_ values: PassthroughSubject<Int, Never>, _ store: Store) -> AnyCancellable {
        values.sink(on: MainActor.shared) { store.total = $0 }
      }
      """, refusedWith: "actor-isolated property 'total' can not be mutated from the main actor")
  }

  @Test("a value that isn't Sendable can't be sent to sink(on:)")
  func value() throws {
    try expect(
      """
      final class Draft { var text = "" }
      func show(_ drafts: PassthroughSubject<Draft, Never>) -> AnyCancellable {
        drafts.sink(on: MainActor.shared) { print($0.text) }
      }
      """, refusedWith: "requires that 'Draft' conform to 'Sendable'", "type 'Draft' does not conform to the 'Sendable'"
    )
  }

  @Test("a subject of values that aren't Sendable can't be sent to another thread")
  func subject() throws {
    try expect(
      """
      final class Draft { var text = "" }
      func send(_ drafts: PassthroughSubject<Draft, Never>) {
        let work: @Sendable () -> Void = { drafts.send(Draft()) }
        work()
      }
      """, refusedWith: "with non-Sendable type 'PassthroughSubject<Draft, Never>'")
  }

  @Test("a publisher that contains a closure can't be sent either")
  func closure() throws {
    try expect(
      """
      func send(_ values: Publishers.Map<PassthroughSubject<Int, Never>, Int>) {
        let work: @Sendable () -> Void = { _ = values.sink { _ in } }
        work()
      }
      """, refusedWith: "with non-Sendable type 'Publishers.Map<PassthroughSubject<Int, Never>, Int>'")
  }

  /// Compiles a program in Swift 6 mode, and expects one of these messages.
  private func expect(
    _ program: String, refusedWith diagnostics: String..., at location: SourceLocation = #_sourceLocation
  ) throws {
    let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("Modules")
    guard let compiler = Self.compiler, FileManager.default.fileExists(atPath: modules.path) else {
      // On Linux, where CI runs, all necessary files exist.
      #if os(Linux)
      Issue.record("There is no swiftc in PATH, or no modules at \(modules.path).")
      #endif
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Program.swift")
    try "import Weir\n\n\(program)\n".write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    let output = Pipe()
    process.executableURL = compiler
    process.arguments = ["-typecheck", "-swift-version", "6", "-parse-as-library", "-I", modules.path, file.path]
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if diagnostics.isEmpty {
      #expect(said.isEmpty, sourceLocation: location)
    } else {
      #expect(process.terminationStatus != 0, sourceLocation: location)
      #expect(
        diagnostics.contains { said.contains("error: \($0)") || said.contains($0) }, "\(said)", sourceLocation: location
      )
    }
  }

  private static let compiler = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

import Testing
import WeirTesting

/// The error that a failing check throws.
///
/// Unlike `#expect(throws:)`, it keeps the line numbers inside the closure.
func failure(in body: () throws -> Void) -> (any Error)? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// The message of a failing check, without the source location.
func messageOfFailure(in body: () throws -> Void) -> String? {
  failure(in: body).map { ($0 as? TestFailure)?.message ?? "\($0)" }
}

enum Oops: Error, Equatable {
  case oops
}

/// A list that several threads, or closures that must not be copied, append to.
final class Notes: @unchecked Sendable {  // Each test serializes its writers.
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

import Testing
import WeirTesting

/// What a check that fails throws.
///
/// Unlike `#expect(throws:)` it leaves the line numbers inside the closure alone.
func failure(in body: () throws -> Void) -> (any Error)? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// What a check that fails has to say, without the place.
func messageOfFailure(in body: () throws -> Void) -> String? {
  failure(in: body).map { ($0 as? TestFailure)?.message ?? "\($0)" }
}

enum Oops: Error, Equatable {
  case oops
}

/// What several threads, or closures that must not be copied, write into.
final class Notes: @unchecked Sendable {  // Each test says who writes, one after the other.
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

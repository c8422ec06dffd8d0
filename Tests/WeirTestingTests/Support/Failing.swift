import Testing
import WeirTesting

/// What a check that fails has to say, without the place.
func messageOfFailure(in body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? TestFailure)?.message ?? "\(error)"
  }
}

enum Oops: Error, Equatable {
  case oops
}

/// What several threads, or closures that must not be copied, write into.
final class Notes: @unchecked Sendable {  // Each test says who writes, one after the other.
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

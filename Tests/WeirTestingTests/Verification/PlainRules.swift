import Testing
import WeirTesting

/// Restricts verifications to the rules that need neither re-entrancy nor a second thread in a delivery.
struct PlainRules: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await VerifiedRules.$current.withValue(VerifiedRules.plain) { try await function() }
  }
}

extension Trait where Self == PlainRules {
  /// Other tests verify the rules of re-entrancy and threads.
  static var plainRules: PlainRules { PlainRules() }
}

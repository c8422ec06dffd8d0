import Testing
import WeirTesting

/// Lets verifications look at the rules that need neither re-entry nor a second thread inside a delivery.
struct PlainRules: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await VerifiedRules.$current.withValue(VerifiedRules.plain) { try await function() }
  }
}

extension Trait where Self == PlainRules {
  /// Other tests verify the rules of re-entry and of threads.
  static var plainRules: PlainRules { PlainRules() }
}

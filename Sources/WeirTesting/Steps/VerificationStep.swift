/// One step of ``verify(_:on:fileID:line:_:)``, which functions such as `next(_:)` create.
public struct VerificationStep<Output, Failure: Error> {
  let name: String
  let fileID: StaticString
  let line: UInt
  var speaksOfSubscription = false
  let run: (Verification<Output, Failure>) throws -> Void
}

/// Collects the steps of ``verify(_:on:fileID:line:_:)``.
@resultBuilder
public enum VerificationBuilder<Output, Failure: Error> {
  /// A list of steps.
  public typealias Steps = [VerificationStep<Output, Failure>]

  /// A single step.
  public static func buildExpression(_ step: VerificationStep<Output, Failure>) -> Steps { [step] }

  /// One step after the other.
  public static func buildBlock(_ steps: Steps...) -> Steps { Array(steps.joined()) }

  /// Steps that depend on a condition.
  public static func buildOptional(_ steps: Steps?) -> Steps { steps ?? [] }

  /// Steps that depend on a condition.
  public static func buildEither(first steps: Steps) -> Steps { steps }

  /// Steps that depend on the opposite condition.
  public static func buildEither(second steps: Steps) -> Steps { steps }

  /// Steps of a loop.
  public static func buildArray(_ steps: [Steps]) -> Steps { Array(steps.joined()) }
}

/// An operator whose closure can throw, shared by a method and its `try` variant.
///
/// Performance: a closure that can't throw is stored as one that can, which only changes its type. A generic type for
/// the thrown error would put a thunk in front of it. The check for an error still costs 4 instructions for each value.
/// So `scan`, `removeDuplicates` and `prefix(while:)`, which are measured, have their own types.
@usableFromInline
protocol ThrowingOperator<Input, Output>: StatefulOperator
where UpstreamFailure == Path.UpstreamFailure, Failure == Path.Failure {
  associatedtype Path: FailureMapping
  associatedtype Input
  associatedtype Output
  associatedtype UpstreamFailure = Path.UpstreamFailure
  associatedtype Failure = Path.Failure

  /// Performs ``StatefulOperator/next(_:)``, but throws the closure's error.
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, Failure>

  /// The value that is sent before a normal completion.
  var result: Output? { get }
}

extension ThrowingOperator {
  /// An operator that sends a result before the completion sends no value earlier, so it need not count demand.
  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  var result: Output? { nil }

  @inlinable
  @inline(__always)
  mutating func next(_ input: Input) -> OperatorResult<Output, Failure> {
    do {
      return try attempt(input)
    } catch {
      return .fail(Path.failure(thrown: error))
    }
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Output, Failure> {
    switch completion {
    case .finished: result.map { .emit($0) } ?? .complete(.finished)
    case .failure(let error): .complete(.failure(Path.failure(of: error)))
    }
  }
}

/// Maps an upstream's failure, and an error that a closure throws, to the operator's failure.
@usableFromInline
protocol FailureMapping {
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error

  static func failure(thrown error: any Error) -> Failure

  static func failure(of error: UpstreamFailure) -> Failure
}

/// The closure can't throw: the upstream's failure is the only one.
@usableFromInline
enum NonThrowing<Failure: Error>: FailureMapping {
  @inlinable
  static func failure(thrown error: any Error) -> Failure {
    fatalError("A closure that can't throw threw \(error).")
  }

  @inlinable
  static func failure(of error: Failure) -> Failure { error }
}

/// The closure can throw: its error and the upstream's failure are both the operator's failure.
@usableFromInline
enum Throwing<UpstreamFailure: Error>: FailureMapping {
  @inlinable
  static func failure(thrown error: any Error) -> any Error { error }

  @inlinable
  static func failure(of error: UpstreamFailure) -> any Error { error }
}

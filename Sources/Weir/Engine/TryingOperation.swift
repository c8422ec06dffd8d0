/// An operation around a closure that may throw: the one work of an operator and of its `try` variant.
///
/// A closure that can't throw is kept as one that may: that changes nothing but its type, where a type of its own for
/// what is thrown would put a thunk in front of it. To look whether something was thrown still costs 4 instructions for
/// each value, so `scan`, `removeDuplicates` and `prefix(while:)`, which are measured, have works of their own.
@usableFromInline
protocol TryingOperation<Input, Output>: Operation
where UpstreamFailure == Path.UpstreamFailure, Failure == Path.Failure {
  associatedtype Path: FailurePath
  associatedtype Input
  associatedtype Output
  associatedtype UpstreamFailure = Path.UpstreamFailure
  associatedtype Failure = Path.Failure

  /// What ``Operation/next(_:)`` does, except for what becomes of an error.
  mutating func attempt(_ input: Input) throws -> Step<Output, Failure>

  /// What is sent before a normal end.
  var result: Output? { get }
}

extension TryingOperation {
  /// Those that send a result at the end send nothing before it, so there is nothing to count.
  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  var result: Output? { nil }

  @inlinable
  @inline(__always)
  mutating func next(_ input: Input) -> Step<Output, Failure> {
    do {
      return try attempt(input)
    } catch {
      return .fail(Path.failure(thrown: error))
    }
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> LastStep<Output, Failure> {
    switch completion {
    case .finished: result.map { .emit($0) } ?? .complete(.finished)
    case .failure(let error): .complete(.failure(Path.failure(of: error)))
    }
  }
}

/// What becomes of an upstream's failure, and of what a closure throws.
@usableFromInline
protocol FailurePath {
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error

  static func failure(thrown error: any Error) -> Failure

  static func failure(of error: UpstreamFailure) -> Failure
}

/// The closure can't throw: the upstream's failure is the only one.
@usableFromInline
enum Sure<Failure: Error>: FailurePath {
  @inlinable
  static func failure(thrown error: any Error) -> Failure {
    fatalError("A closure that can't throw has thrown \(error).")
  }

  @inlinable
  static func failure(of error: Failure) -> Failure { error }
}

/// The closure may throw: its error and the upstream's failure are both the operator's.
@usableFromInline
enum Trying<UpstreamFailure: Error>: FailurePath {
  @inlinable
  static func failure(thrown error: any Error) -> any Error { error }

  @inlinable
  static func failure(of error: UpstreamFailure) -> any Error { error }
}

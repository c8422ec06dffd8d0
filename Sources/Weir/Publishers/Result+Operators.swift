// These operators run when the pipeline is written, because the result is known. The closures run once, not for each
// subscriber, and not at all for a failure. An error that they throw becomes the failure. A value is delivered on
// demand, as with any result's publisher, and a failure immediately.

extension Result.Publisher {
  // MARK: Mapping

  /// Transforms the value.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// Transforms the value with a throwing closure.
  @inlinable
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try transform(result.get()) }.publisher
  }

  /// Combines the initial result with the value.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines the initial result with the value, in a throwing closure.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Changes the failure type of a result that is never a failure.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher where Failure == Never {
    Result<Output, E>.success(result.get()).publisher
  }

  // MARK: Filtering

  /// Returns the same publisher, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates() -> Result<Output, Failure>.Publisher where Success: Equatable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Sends the value, unless the closure throws when it is called with the value twice.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    trying(predicate)
  }

  /// Finishes, whatever the result, because the returned type cannot fail with it.
  ///
  /// Overload resolution prefers the operator on all publishers, which keeps the failure, unless the context requires
  /// this return type.
  @inlinable
  @_disfavoredOverload
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }

  // MARK: Reducing

  /// Sends an array of the value.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher {
    map { [$0] }
  }

  /// Combines the initial result with the value.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines the initial result with the value, in a throwing closure.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Sends 1 instead of the value.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    map { _ in 1 }
  }

  /// Returns the same publisher, because a single value is the minimum.
  @inlinable
  public func min() -> Result<Output, Failure>.Publisher where Success: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the minimum.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Sends the value, unless the closure throws when it is called with the value twice.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    trying(areInIncreasingOrder)
  }

  /// Returns the same publisher, because a single value is the maximum.
  @inlinable
  public func max() -> Result<Output, Failure>.Publisher where Success: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the maximum.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Sends the value, unless the closure throws when it is called with the value twice.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    trying(areInIncreasingOrder)
  }

  /// Calls a comparing closure with the only value twice, as Combine does, because it can throw.
  @inlinable
  func trying(_ compare: (Output, Output) throws -> Bool) -> Result<Output, any Error>.Publisher {
    tryMap {
      _ = try compare($0, $0)
      return $0
    }
  }

  // MARK: Matching

  /// Sends whether a predicate is true for the value.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Sends whether a throwing predicate is true for the value.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Sends whether a predicate is true for the value.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Sends whether a throwing predicate is true for the value.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Sends whether the value equals another.
  @inlinable
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher where Success: Equatable {
    map { $0 == output }
  }

  // MARK: Selecting

  /// Returns the same publisher, because a single value is the first.
  @inlinable
  public func first() -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns the same publisher, because a single value is the last.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher {
    self
  }

  // MARK: Errors

  /// Transforms the failure.
  @inlinable
  public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
    result.mapError(transform).publisher
  }

  /// Replaces a failure by a value.
  @inlinable
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    Result<Output, Never>.success((try? result.get()) ?? output).publisher
  }

  /// Returns the same publisher, which is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns the same publisher, which would fail again in the same way.
  @inlinable
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher {
    self
  }
}

// These operators run when the pipeline is written, because the value is known. The closures run once, not for each
// subscriber, and an error that they throw becomes the failure. The result is delivered on demand, as with any `Just`.
// An operator that can drop the value returns an optional's publisher, and an operator that can fail returns a result's
// publisher.

extension Just {
  @inlinable
  var optional: Optional<Output>.Publisher { Optional<Output>.Publisher(output) }

  @inlinable
  var result: Result<Output, Never>.Publisher { Result<Output, Never>.Publisher(output) }

  // MARK: Mapping

  /// Transforms the value.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Just<T> {
    Just<T>(transform(output))
  }

  /// Transforms the value with a throwing closure.
  @inlinable
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    result.tryMap(transform)
  }

  /// Transforms the value, and filters it out if the result is `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    optional.compactMap(transform)
  }

  /// Combines the initial result with the value.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    result.scan(initialResult, nextPartialResult)
  }

  /// Combines the initial result with the value, in a throwing closure.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    result.tryScan(initialResult, nextPartialResult)
  }

  /// Changes the failure type, so that this publisher can be combined with publishers that can fail.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    result.setFailureType(to: failureType)
  }

  // MARK: Filtering

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.filter(isIncluded)
  }

  /// Returns the same publisher, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates() -> Just<Output> where Output: Equatable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Sends the value, unless the closure throws when it is called with the value twice.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    result.tryRemoveDuplicates(by: predicate)
  }

  /// Drops the value, and finishes.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> {
    Empty()
  }

  // MARK: Reducing

  /// Sends an array of the value.
  @inlinable
  public func collect() -> Just<[Output]> {
    Just<[Output]>([output])
  }

  /// Combines the initial result with the value.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    result.reduce(initialResult, nextPartialResult)
  }

  /// Combines the initial result with the value, in a throwing closure.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    result.tryReduce(initialResult, nextPartialResult)
  }

  /// Sends 1 instead of the value.
  @inlinable
  public func count() -> Just<Int> {
    Just<Int>(1)
  }

  /// Returns the same publisher, because a single value is the minimum.
  @inlinable
  public func min() -> Just<Output> where Output: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the minimum.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Returns the same publisher, because a single value is the maximum.
  @inlinable
  public func max() -> Just<Output> where Output: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the maximum.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  // MARK: Matching

  /// Sends whether a predicate is true for the value.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
    map(predicate)
  }

  /// Sends whether a throwing predicate is true for the value.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Sends whether a predicate is true for the value.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    map(predicate)
  }

  /// Sends whether a throwing predicate is true for the value.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Sends whether the value equals another.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> where Output: Equatable {
    map { $0 == output }
  }

  // MARK: Selecting

  /// Returns the same publisher, because a single value is the first.
  @inlinable
  public func first() -> Just<Output> {
    self
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.first(where: predicate)
  }

  /// Returns the same publisher, because a single value is the last.
  @inlinable
  public func last() -> Just<Output> {
    self
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.last(where: predicate)
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.prefix(while: predicate)
  }

  /// Sends the value unless a predicate is true for it.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.drop(while: predicate)
  }

  /// Sends the value unless `maxLength` is 0; a negative length is a programming error.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    optional.prefix(maxLength)
  }

  /// Sends the value if `count` is 0; a negative count is a programming error.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    optional.dropFirst(count)
  }

  /// Sends the value if the requested index is 0; a negative index is a programming error.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    optional.output(at: index)
  }

  /// Sends the value if a range of indices begins with 0, the value's index.
  ///
  /// As in Combine, and unlike the operator on other publishers, an empty range at 0 sends the value too. A range that
  /// begins below 0 drops the value.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    let first = requestedIndices(range).lowerBound
    return optional.filter { _ in first == 0 }
  }

  // MARK: Combining

  /// Sends these values before the value.
  ///
  ///     demand                 2   --∞
  ///     Just(1).prepend(2, 3)  (23)--(1|)
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Sends the elements of a sequence before the value; iterates over the sequence immediately.
  @inlinable
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// Sends these values after the value.
  ///
  ///     demand                2   --∞
  ///     Just(1).append(2, 3)  (12)--(3|)
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Sends the elements of a sequence after the value; iterates over the sequence immediately.
  @inlinable
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }

  // MARK: Errors

  /// Changes the failure type; the closure is never called, because there is no failure.
  @inlinable
  public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
    result.mapError(transform)
  }

  /// Returns the same publisher, which never fails.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> {
    self
  }

  /// Returns the same publisher, which is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> {
    self
  }

  /// Returns the same publisher, which never fails.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> {
    self
  }
}

// These operators run when the pipeline is written, because the value is known. The closures run once, not for each
// subscriber. The result is delivered on demand, as with any optional's publisher.

extension Optional.Publisher {
  // MARK: Mapping

  /// Transforms the value.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.map(transform))
  }

  /// Transforms the value, and filters it out if the result is `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.flatMap(transform))
  }

  /// Combines the initial result with the value; without a value it sends nothing.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  // MARK: Filtering

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Returns the same publisher, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher where Wrapped: Equatable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value has no duplicate.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Drops the value, and finishes.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }

  // MARK: Reducing

  /// Sends an array of the value, or an empty array without one.
  @inlinable
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Combines the initial result with the value.
  ///
  /// Without a value it sends nothing, as in Combine, unlike the operator on other publishers.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Sends 1 instead of the value.
  ///
  /// Without a value it sends nothing, as in Combine, unlike the operator on other publishers.
  @inlinable
  public func count() -> Optional<Int>.Publisher {
    map { _ in 1 }
  }

  /// Returns the same publisher, because a single value is the minimum.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher where Wrapped: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the minimum.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Returns the same publisher, because a single value is the maximum.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher where Wrapped: Comparable {
    self
  }

  /// Returns the same publisher without calling the closure, because a single value is the maximum.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  // MARK: Matching

  /// Sends whether a predicate is true for the value.
  ///
  /// Without a value it sends nothing, as in Combine, unlike the operator on other publishers.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Sends whether a predicate is true for the value.
  ///
  /// Without a value it sends nothing, as in Combine, unlike the operator on other publishers.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Sends whether the value equals another.
  ///
  /// Without a value it sends nothing, as in Combine, unlike the operator on other publishers.
  @inlinable
  public func contains(_ output: Output) -> Optional<Bool>.Publisher where Wrapped: Equatable {
    map { $0 == output }
  }

  // MARK: Selecting

  /// Returns the same publisher, because a single value is the first.
  @inlinable
  public func first() -> Optional<Output>.Publisher {
    self
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Returns the same publisher, because a single value is the last.
  @inlinable
  public func last() -> Optional<Output>.Publisher {
    self
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Sends the value if a predicate is true for it.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Sends the value unless a predicate is true for it.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// Sends the value unless `maxLength` is 0; a negative length is a programming error.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    require(maxLength >= 0, "prefix(_:) requires a maximum length of 0 or more.")
    return filter { _ in maxLength > 0 }
  }

  /// Sends the value if `count` is 0; a negative count is a programming error.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    require(count >= 0, "dropFirst(_:) requires a count of 0 or more.")
    return filter { _ in count == 0 }
  }

  /// Sends the value if the requested index is 0; a negative index is a programming error.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    require(index >= 0, "output(at:) requires an index of 0 or more.")
    return filter { _ in index == 0 }
  }

  /// Sends the value if its index, 0, is in a range; a range that begins below 0 is a programming error.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    let range = requestedIndices(range)
    require(range.lowerBound >= 0, "output(in:) requires indices of 0 or more.")
    return filter { _ in range.contains(0) }
  }

  // MARK: Errors

  /// Sends another value if there is none.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> {
    Just(self.output ?? output)
  }

  /// Returns the same publisher, which never fails.
  @inlinable
  public func replaceError(with output: Output) -> Optional<Output>.Publisher {
    self
  }

  /// Returns the same publisher, which never fails.
  @inlinable
  public func retry(_ times: Int) -> Optional<Output>.Publisher {
    self
  }
}

// The operators of every publisher, worked out at once: what there is to send is known. The result waits for demand like
// any value of an optional's publisher. The closures run where the operator is written, once and not for each subscriber.

extension Optional.Publisher {
  // MARK: Mapping

  /// Transforms the value.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.map(transform))
  }

  /// Transforms the value and leaves it out if it becomes `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.flatMap(transform))
  }

  /// Combines the initial result with the value; without a value sends nothing.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  // MARK: Filtering

  /// Keeps the value if a closure is true for it.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The same: a single value has no duplicate.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher where Wrapped: Equatable {
    self
  }

  /// The same: a single value has no duplicate, and the closure isn't called.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Leaves the value out, and finishes.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }

  // MARK: Reducing

  /// An array of the value, empty without one.
  @inlinable
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Combines the initial result with the value.
  ///
  /// Without a value sends nothing, as in Combine, unlike the operator of other publishers.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Sends 1 in the place of the value.
  ///
  /// Without a value sends nothing, as in Combine, unlike the operator of other publishers.
  @inlinable
  public func count() -> Optional<Int>.Publisher {
    map { _ in 1 }
  }

  /// The same: a single value is the smallest.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher where Wrapped: Comparable {
    self
  }

  /// The same: a single value is the smallest, and the closure isn't called.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// The same: a single value is the largest.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher where Wrapped: Comparable {
    self
  }

  /// The same: a single value is the largest, and the closure isn't called.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  // MARK: Matching

  /// Tells whether a closure is true for the value.
  ///
  /// Without a value sends nothing, as in Combine, unlike the operator of other publishers.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Tells whether a closure is true for the value.
  ///
  /// Without a value sends nothing, as in Combine, unlike the operator of other publishers.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Tells whether the value equals another.
  ///
  /// Without a value sends nothing, as in Combine, unlike the operator of other publishers.
  @inlinable
  public func contains(_ output: Output) -> Optional<Bool>.Publisher where Wrapped: Equatable {
    map { $0 == output }
  }

  // MARK: Selecting

  /// The same: a single value is the first.
  @inlinable
  public func first() -> Optional<Output>.Publisher {
    self
  }

  /// Keeps the value if a closure is true for it.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// The same: a single value is the last.
  @inlinable
  public func last() -> Optional<Output>.Publisher {
    self
  }

  /// Keeps the value if a closure is true for it.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value if a closure is true for it.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value unless a closure is true for it.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// Keeps the value unless the length, which can't be negative, is 0.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    require(maxLength >= 0, "The length of a prefix can't be negative.")
    return filter { _ in maxLength > 0 }
  }

  /// Keeps the value if so many values to leave out, which can't be negative, are 0.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    require(count >= 0, "The number of values to drop can't be negative.")
    return filter { _ in count == 0 }
  }

  /// Keeps the value if its index, which is 0, is asked for; the index can't be negative.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    require(index >= 0, "The index of an output can't be negative: values are counted from 0.")
    return filter { _ in index == 0 }
  }

  /// Keeps the value if its index, which is 0, is in a range; the range can't begin below 0.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    require(range.lowerBound >= 0, "The index of an output can't be negative: values are counted from 0.")
    return filter { _ in range.contains(0) }
  }

  // MARK: Errors

  /// Puts a value in the place of none.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> {
    Just(self.output ?? output)
  }

  /// The same: it can't fail.
  @inlinable
  public func replaceError(with output: Output) -> Optional<Output>.Publisher {
    self
  }

  /// The same: it can't fail.
  @inlinable
  public func retry(_ times: Int) -> Optional<Output>.Publisher {
    self
  }
}

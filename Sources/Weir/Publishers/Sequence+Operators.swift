// The operators of every publisher, worked out at once over the elements, as in Combine. What comes of it is sent by
// demand like any sequence's elements, or any result's value. The closures run where the operator is written, once and
// not for each subscriber. What they throw becomes the failure.

extension Publishers.Sequence {
  // MARK: Mapping

  /// Transforms each element, all of them at once.
  @inlinable
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
  }

  /// Transforms each element, all of them at once, and leaves out what becomes `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Elements.Element) -> T?) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
  }

  /// Puts an element in the place of each `nil`, all of them at once.
  ///
  /// The elements stay optional, as in Combine. Where their type has to be `T` the operator of every publisher is called.
  @inlinable
  public func replaceNil<T>(
    with output: T
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == T? {
    map { $0 ?? output }
  }

  /// Combines each element with what came of those before it, all of them at once.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Elements.Element) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map {
      result = nextPartialResult(result, $0)
      return result
    }
  }

  /// Changes the failure type, so that this publisher can be combined with publishers that can fail.
  @inlinable
  public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
    Publishers.Sequence<Elements, E>(sequence: sequence)
  }

  // MARK: Filtering

  /// Keeps the elements for which a closure is true; it is asked about all of them at once.
  @inlinable
  public func filter(_ isIncluded: (Elements.Element) -> Bool) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.filter(isIncluded))
  }

  /// Leaves out the elements that equal the one before them, looking at all of them at once.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure>
  where Elements.Element: Equatable {
    var kept: [Elements.Element] = []
    for element in sequence where kept.last != element { kept.append(element) }
    return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
  }

  /// Leaves out the elements, none of which is made, and finishes.
  @inlinable
  public func ignoreOutput() -> Empty<Elements.Element, Failure> {
    Empty()
  }

  // MARK: Reducing

  /// An array of the elements, which are all taken at once.
  @inlinable
  public func collect() -> Result<[Elements.Element], Failure>.Publisher {
    Result.success(Array(sequence)).publisher
  }

  /// Combines all elements into one value, at once.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Elements.Element) -> T
  ) -> Result<T, Failure>.Publisher {
    Result.success(sequence.reduce(initialResult, nextPartialResult)).publisher
  }

  /// Combines all elements into one value, at once, in a closure that may throw.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Elements.Element) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Counts the elements, at once.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher where Elements: Collection {
    Result.success(sequence.count).publisher
  }

  /// Sends the number of elements, without iterating over them.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher where Elements: RandomAccessCollection {
    Result.success(sequence.count).publisher
  }

  /// Sends the number of elements, without iterating over them.
  @inlinable
  public func count() -> Just<Int> where Elements: RandomAccessCollection, Failure == Never {
    Just(sequence.count)
  }

  /// The smallest element, looked for at once.
  @inlinable
  public func min() -> Optional<Elements.Element>.Publisher where Failure == Never, Elements.Element: Comparable {
    sequence.min().publisher
  }

  /// The smallest element by a closure's order, looked for at once.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.min(by: areInIncreasingOrder).publisher
  }

  /// The largest element, looked for at once.
  @inlinable
  public func max() -> Optional<Elements.Element>.Publisher where Failure == Never, Elements.Element: Comparable {
    sequence.max().publisher
  }

  /// The largest element by a closure's order, looked for at once.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.max(by: areInIncreasingOrder).publisher
  }

  // MARK: Matching

  /// Tells whether a closure is true for every element; it is asked at once, until it is false.
  @inlinable
  public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.allSatisfy(predicate)).publisher
  }

  /// Tells whether a closure that may throw is true for every element; it is asked at once, until it is false.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Tells whether a closure is true for an element; it is asked at once, until it is true.
  @inlinable
  public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.contains(where: predicate)).publisher
  }

  /// Tells whether a closure that may throw is true for an element; it is asked at once, until it is true.
  @inlinable
  public func tryContains(
    where predicate: (Elements.Element) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.contains(where: predicate) }.publisher
  }

  /// Tells whether an element equals another; it is looked for at once.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher
  where Elements.Element: Equatable {
    Result.success(sequence.contains(output)).publisher
  }

  // MARK: Selecting

  /// Keeps the first elements, so many at the most; they are taken on demand.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    require(maxLength >= 0, "The length of a prefix can't be negative.")
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Keeps the first elements as long as a closure is true for them; it is asked at once.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }

  /// Leaves out the first elements; the rest are taken on demand.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    require(count >= 0, "The number of values to drop can't be negative.")
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Leaves out the first elements as long as a closure is true for them, at once; the rest are taken on demand.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// The first element.
  @inlinable
  public func first() -> Optional<Elements.Element>.Publisher where Elements: Collection, Failure == Never {
    sequence.first.publisher
  }

  /// The first element for which a closure is true, looked for at once.
  @inlinable
  public func first(
    where predicate: (Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.first(where: predicate).publisher
  }

  /// The last element.
  @inlinable
  public func last() -> Optional<Elements.Element>.Publisher
  where Elements: BidirectionalCollection, Failure == Never {
    sequence.last.publisher
  }

  /// The last element for which a closure is true, looked for at once and from the end.
  @inlinable
  public func last(
    where predicate: (Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Elements: BidirectionalCollection, Failure == Never {
    sequence.last(where: predicate).publisher
  }

  /// Sends the element at an index, if the collection has one.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher
  where Elements: Collection, Failure == Never {
    (sequence.indices.contains(index) ? sequence[index] : nil).publisher
  }

  /// Sends the element at an index, if the collection has one.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher
  where Elements: RandomAccessCollection, Failure == Never {
    (sequence.indices.contains(index) ? sequence[index] : nil).publisher
  }

  /// Sends the elements in a range of indices, all of which must be valid.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements: Collection {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
  }

  /// Sends the elements in a range of indices, all of which must be valid.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements: RandomAccessCollection {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
  }
}

// MARK: Combining

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Sends these elements before the others.
  @inlinable
  public func prepend(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Sends the elements of a sequence, which are all taken at once, before the others.
  @inlinable
  public func prepend<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Sequence<Elements, Failure> where S.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Sends the elements of another publisher before those of this one.
  @inlinable
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// Sends these elements after the others.
  @inlinable
  public func append(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Sends the elements of a sequence, which are all taken at once, after the others.
  @inlinable
  public func append<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Sequence<Elements, Failure> where S.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Sends the elements of another publisher after those of this one.
  @inlinable
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}

// As in Combine, these operators process the elements when the pipeline is written. The closures run once, not for each
// subscriber, and an error that they throw becomes the failure. The results are delivered on demand, as with any
// publisher of a sequence or a result.

extension Publishers.Sequence {
  // MARK: Mapping

  /// Transforms all elements immediately.
  @inlinable
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.mapped(transform))
  }

  /// Transforms all elements immediately, and drops `nil` results.
  @inlinable
  public func compactMap<T>(_ transform: (Elements.Element) -> T?) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.compactMapped(transform))
  }

  /// Replaces each `nil` by an element immediately.
  ///
  /// The elements stay optional, as in Combine. Where the context requires `T`, the compiler chooses the operator on
  /// all publishers.
  @inlinable
  public func replaceNil<T>(
    with output: T
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == T? {
    map { $0 ?? output }
  }

  /// Combines each element with the previous result immediately.
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

  /// Filters all elements immediately, and sends those for which a predicate is true.
  @inlinable
  public func filter(_ isIncluded: (Elements.Element) -> Bool) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.filtered(isIncluded))
  }

  /// Compares all elements immediately, and drops each element that equals the previous one.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure>
  where Elements.Element: Equatable {
    var kept: [Elements.Element] = []
    for element in sequence where kept.last != element { kept.append(element) }
    return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
  }

  /// Drops the elements without iterating over them, and finishes.
  @inlinable
  public func ignoreOutput() -> Empty<Elements.Element, Failure> {
    Empty()
  }

  // MARK: Reducing

  /// Sends an array of all elements, which is created immediately.
  @inlinable
  public func collect() -> Result<[Elements.Element], Failure>.Publisher {
    Result.success(Array(sequence)).publisher
  }

  /// Combines all elements into one value immediately.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Elements.Element) -> T
  ) -> Result<T, Failure>.Publisher {
    Result.success(sequence.reduce(initialResult, nextPartialResult)).publisher
  }

  /// Combines all elements into one value immediately, in a throwing closure.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Elements.Element) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Sends the number of elements, which are counted immediately.
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

  /// Sends the minimum element, which is determined immediately.
  @inlinable
  public func min() -> Optional<Elements.Element>.Publisher where Failure == Never, Elements.Element: Comparable {
    sequence.min().publisher
  }

  /// Sends the minimum element in the order of a closure, which is determined immediately.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.min(by: areInIncreasingOrder).publisher
  }

  /// Sends the maximum element, which is determined immediately.
  @inlinable
  public func max() -> Optional<Elements.Element>.Publisher where Failure == Never, Elements.Element: Comparable {
    sequence.max().publisher
  }

  /// Sends the maximum element in the order of a closure, which is determined immediately.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.max(by: areInIncreasingOrder).publisher
  }

  // MARK: Matching

  /// Sends whether a predicate is true for every element, which is determined immediately.
  @inlinable
  public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.allSatisfy(predicate)).publisher
  }

  /// Sends whether a throwing predicate is true for every element, which is determined immediately.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Sends whether a predicate is true for any element, which is determined immediately.
  @inlinable
  public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.contains(where: predicate)).publisher
  }

  /// Sends whether a throwing predicate is true for any element, which is determined immediately.
  @inlinable
  public func tryContains(
    where predicate: (Elements.Element) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.contains(where: predicate) }.publisher
  }

  /// Sends whether an element equals another, which is determined immediately.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher
  where Elements.Element: Equatable {
    Result.success(sequence.contains(output)).publisher
  }

  // MARK: Selecting

  /// Sends the first elements, at most `maxLength` of them, and iterates on demand.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    require(maxLength >= 0, "prefix(_:) requires a maximum length of 0 or more.")
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Sends the elements before the first for which a predicate is false, which is determined immediately.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }

  /// Drops the first elements, and iterates over the others on demand.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    require(count >= 0, "dropFirst(_:) requires a count of 0 or more.")
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Drops the elements before the first for which a predicate is false, which is determined immediately.
  ///
  /// The other elements are iterated over on demand.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// Sends the first element, if there is one.
  @inlinable
  public func first() -> Optional<Elements.Element>.Publisher where Elements: Collection, Failure == Never {
    sequence.first.publisher
  }

  /// Sends the first element for which a predicate is true, which is determined immediately.
  @inlinable
  public func first(
    where predicate: (Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher where Failure == Never {
    sequence.first(where: predicate).publisher
  }

  /// Sends the last element, if there is one.
  @inlinable
  public func last() -> Optional<Elements.Element>.Publisher
  where Elements: BidirectionalCollection, Failure == Never {
    sequence.last.publisher
  }

  /// Sends the last element for which a predicate is true.
  ///
  /// It is determined immediately, from the end of the collection.
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
    Publishers.Sequence<[Elements.Element], Failure>(sequence: elements(in: range))
  }

  /// Sends the elements in a range of indices, all of which must be valid.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements: RandomAccessCollection {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: elements(in: range))
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// The slice's own check stops the program without a message.
  @inlinable
  func elements(in range: Range<Elements.Index>) -> [Elements.Element] {
    require(
      range.lowerBound >= sequence.startIndex && range.upperBound <= sequence.endIndex,
      "output(in:) of a collection's publisher requires indices of that collection.")
    return Array(sequence[range])
  }
}

// MARK: Combining

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Sends these elements before the others.
  @inlinable
  public func prepend(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Sends the elements of a sequence before the others; iterates over the sequence immediately.
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

  /// Sends the elements of a sequence after the others; iterates over the sequence immediately.
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

// Performance: a debug build runs the iterator of an array unspecialized, with an allocation for each element. So these
// read the elements of an array in place. Those of any other sequence stay where they are, because its type runs code
// around the access: the closures would run under its lock, or while its storage must not change.
extension Sequence {
  @inlinable
  func mapped<T>(_ transform: (Element) -> T) -> [T] {
    guard let array = self as? [Element] else { return map(transform) }
    // Safety: the pointer isn't used after the call. Each result initializes the next place, and is counted.
    // (`SequenceOperatorTests`)
    return array.withUnsafeBufferPointer { elements in
      [T](unsafeUninitializedCapacity: elements.count) { results, count in
        while count < elements.count {
          results.initializeElement(at: count, to: transform(elements[count]))
          count += 1
        }
      }
    }
  }

  @inlinable
  func compactMapped<T>(_ transform: (Element) -> T?) -> [T] {
    guard let array = self as? [Element] else { return compactMap(transform) }
    var (results, index): ([T], Int) = ([], 0)
    while index < array.count {
      if let result = transform(array[index]) { results.append(result) }
      index += 1
    }
    return results
  }

  @inlinable
  func filtered(_ isIncluded: (Element) -> Bool) -> [Element] {
    guard let array = self as? [Element] else { return filter(isIncluded) }
    var (included, index): ([Element], Int) = ([], 0)
    while index < array.count {
      if isIncluded(array[index]) { included.append(array[index]) }
      index += 1
    }
    return included
  }
}

public import Weir

extension SharedSequence {
  // MARK: merge

  /// Sends the values of all sequences as they arrive.
  ///
  ///     a                   -1-2-3-|
  ///     b                   --7---8-9|
  ///     Driver.merge(a, b)  -172-38-9|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  @inlinable
  public static func merge(_ sources: SharedSequence...) -> SharedSequence {
    merge(sources)
  }

  /// Sends the values of all sequences as they arrive.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  @inlinable
  public static func merge(_ sources: some Collection<SharedSequence>) -> SharedSequence {
    SharedSequence(sharing: Publishers.MergeMany(sources.map(\.source)), on: scheduler(of: sources))
  }

  /// Sends the values of both sequences as they arrive.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  @inlinable
  public func merge(with other: SharedSequence) -> SharedSequence {
    .merge(self, other)
  }

  // MARK: combineLatest

  /// Sends the latest values of both sequences each time one of them sends one.
  ///
  ///     a                           -1-   2    ---   3    -|
  ///     b                           --x   -    --y   -    |
  ///     Driver.combineLatest(a, b)  --'1x' '2x'--'2y' '3y'-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>
  ) -> SharedSequence where Element == (A, B) {
    combineLatest(a, b) { ($0, $1) }
  }

  /// Sends the result of a closure for the latest values of both sequences each time one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>,
    resultSelector: @escaping (A, B) -> Element
  ) -> SharedSequence {
    a.shared { $0.combineLatest(b.source, resultSelector) }
  }

  /// Sends the latest values of three sequences each time one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>
  ) -> SharedSequence where Element == (A, B, C) {
    combineLatest(a, b, c) { ($0, $1, $2) }
  }

  /// Sends the result of a closure for the latest values of three sequences each time one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>,
    resultSelector: @escaping (A, B, C) -> Element
  ) -> SharedSequence {
    a.shared { $0.combineLatest(b.source, c.source, resultSelector) }
  }

  /// Sends the latest values of all sequences each time one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have, immediately if
  ///   there are none.
  @inlinable
  public static func combineLatest<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>
  ) -> SharedSequence where Element == [Part] {
    combineLatest(sources) { $0 }
  }

  /// Sends the result of a closure for the latest values of all sequences each time one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have, immediately if
  ///   there are none.
  @inlinable
  public static func combineLatest<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>, resultSelector: @escaping ([Part]) -> Element
  ) -> SharedSequence {
    SharedSequence(
      sharing: Publishers.CombineLatestMany(sources.map(\.source)).map(resultSelector), on: scheduler(of: sources))
  }

  // MARK: zip

  /// Sends pairs of values, and uses each value once.
  ///
  ///     a                 -1-   2---   3-   |
  ///     b                 --x   ---y   -z   !
  ///     Driver.zip(a, b)  --'1x'---'2y'-'3z'|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no pair can follow. Values
  ///   of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>
  ) -> SharedSequence where Element == (A, B) {
    zip(a, b) { ($0, $1) }
  }

  /// Sends the result of a closure for pairs of values, and uses each value once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no pair can follow. Values
  ///   of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>,
    resultSelector: @escaping (A, B) -> Element
  ) -> SharedSequence {
    a.shared { $0.zip(b.source, resultSelector) }
  }

  /// Sends triples of values, and uses each value once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no triple can follow.
  ///   Values of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>
  ) -> SharedSequence where Element == (A, B, C) {
    zip(a, b, c) { ($0, $1, $2) }
  }

  /// Sends the result of a closure for triples of values, and uses each value once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no triple can follow.
  ///   Values of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>,
    resultSelector: @escaping (A, B, C) -> Element
  ) -> SharedSequence {
    a.shared { $0.zip(b.source, c.source, resultSelector) }
  }

  /// Sends one value of each sequence together, and uses each value once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no array can follow,
  ///   immediately if there are no sequences. Values of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>
  ) -> SharedSequence where Element == [Part] {
    zip(sources) { $0 }
  }

  /// Sends the result of a closure for one value of each sequence, and uses each value once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no array can follow,
  ///   immediately if there are no sequences. Values of faster sequences are buffered without a limit.
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>, resultSelector: @escaping ([Part]) -> Element
  ) -> SharedSequence {
    SharedSequence(sharing: Publishers.ZipMany(sources.map(\.source)).map(resultSelector), on: scheduler(of: sources))
  }

  // MARK: withLatestFrom

  /// Sends the latest value of another sequence for each value of this one, once the other has sent a value.
  ///
  ///     driver                  -1-2-3--4-|
  ///     other                   --a---b--|
  ///     .withLatestFrom(other)  ---a-a--b-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this sequence does, or
  ///   when the other finishes without a value.
  @inlinable
  public func withLatestFrom<Other>(
    _ other: SharedSequence<some SharingStrategy, Other>
  ) -> SharedSequence<Strategy, Other> {
    withLatestFrom(other) { $1 }
  }

  /// Sends the result of a closure for each value and another sequence's latest value, once there is one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this sequence does, or
  ///   when the other finishes without a value.
  @inlinable
  public func withLatestFrom<Other, Result>(
    _ other: SharedSequence<some SharingStrategy, Other>, resultSelector: @escaping (Element, Other) -> Result
  ) -> SharedSequence<Strategy, Result> {
    shared { $0.withLatestFrom(other.source, resultSelector) }
  }

  // MARK: -

  @inlinable
  static func scheduler<Part>(of sources: some Collection<SharedSequence<Strategy, Part>>) -> SharingScheduler {
    sources.first?.scheduler ?? .current
  }
}

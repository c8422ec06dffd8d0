#if canImport(Dispatch)
import Weir

extension SharedSequence {
  // MARK: merge

  /// Sends the values of all sequences as they come.
  ///
  ///     a                   -1-2-3-|
  ///     b                   --7---8-9|
  ///     Driver.merge(a, b)  -172-38-9|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  public static func merge(_ sources: SharedSequence...) -> SharedSequence {
    merge(sources)
  }

  /// Sends the values of all sequences as they come.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  public static func merge(_ sources: some Collection<SharedSequence>) -> SharedSequence {
    SharedSequence(sharing: Publishers.MergeMany(sources.map(\.source)), on: scheduler(of: sources))
  }

  /// Sends the values of both sequences as they come.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  public func merge(with other: SharedSequence) -> SharedSequence {
    .merge(self, other)
  }

  // MARK: combineLatest

  /// Sends the latest values of both sequences whenever one of them sends one.
  ///
  ///     a                           -1-   2   ---   3   -|
  ///     b                           --x   -   --y   -   |
  ///     Driver.combineLatest(a, b)  --'1x''2x'--'2y''3y'-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  public static func combineLatest<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>
  ) -> SharedSequence where Element == (A, B) {
    combineLatest(a, b) { ($0, $1) }
  }

  /// Sends what a closure makes of the latest values of both sequences whenever one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when both have.
  public static func combineLatest<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>,
    resultSelector: @escaping (A, B) -> Element
  ) -> SharedSequence {
    a.shared { $0.combineLatest(b.source, resultSelector) }
  }

  /// Sends the latest values of three sequences whenever one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  public static func combineLatest<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>
  ) -> SharedSequence where Element == (A, B, C) {
    combineLatest(a, b, c) { ($0, $1, $2) }
  }

  /// Sends what a closure makes of the latest values of three sequences whenever one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  public static func combineLatest<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>,
    resultSelector: @escaping (A, B, C) -> Element
  ) -> SharedSequence {
    a.shared { $0.combineLatest(b.source, c.source, resultSelector) }
  }

  /// Sends the latest values of all sequences whenever one of them sends one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have, and at once if
  ///   there are none.
  public static func combineLatest<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>
  ) -> SharedSequence where Element == [Part] {
    joined(sources) { $0.combineLatest($1) { $0 + [$1] }.eraseToAnyPublisher() }
  }

  // MARK: zip

  /// Sends pairs of values, each of which is used once.
  ///
  ///     a                 -1-   2---   3-   |
  ///     b                 --x   ---y   -z   !
  ///     Driver.zip(a, b)  --'1x'---'2y'-'3z'|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no pair can follow. Values of
  ///   one sequence wait, in any number, for those of the other.
  public static func zip<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>
  ) -> SharedSequence where Element == (A, B) {
    zip(a, b) { ($0, $1) }
  }

  /// Sends what a closure makes of pairs of values, each of which is used once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no pair can follow. Values of
  ///   one sequence wait, in any number, for those of the other.
  public static func zip<A, B>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>,
    resultSelector: @escaping (A, B) -> Element
  ) -> SharedSequence {
    a.shared { $0.zip(b.source, resultSelector) }
  }

  /// Sends triples of values, each of which is used once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no triple can follow. Values
  ///   of one sequence wait, in any number, for those of the others.
  public static func zip<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>
  ) -> SharedSequence where Element == (A, B, C) {
    zip(a, b, c) { ($0, $1, $2) }
  }

  /// Sends what a closure makes of triples of values, each of which is used once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no triple can follow. Values
  ///   of one sequence wait, in any number, for those of the others.
  public static func zip<A, B, C>(
    _ a: SharedSequence<Strategy, A>, _ b: SharedSequence<Strategy, B>, _ c: SharedSequence<Strategy, C>,
    resultSelector: @escaping (A, B, C) -> Element
  ) -> SharedSequence {
    a.shared { $0.zip(b.source, c.source, resultSelector) }
  }

  /// Sends one value of each sequence together, each of which is used once.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when no more can follow, and at
  ///   once if there are no sequences. Values wait, in any number, for those of the other sequences.
  public static func zip<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>
  ) -> SharedSequence where Element == [Part] {
    joined(sources) { $0.zip($1) { $0 + [$1] }.eraseToAnyPublisher() }
  }

  // MARK: withLatestFrom

  /// Sends the latest value of another sequence for each value of this one; none before the other has sent one.
  ///
  ///     driver                  -1-2-3--4-|
  ///     other                   --a---b--|
  ///     .withLatestFrom(other)  ---a-a--b-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this sequence does, or when the
  ///   other does before it has sent a value.
  public func withLatestFrom<Other>(
    _ other: SharedSequence<some SharingStrategy, Other>
  ) -> SharedSequence<Strategy, Other> {
    withLatestFrom(other) { $1 }
  }

  /// Sends what a closure makes of each value and the latest one of another sequence; nothing before the other has sent
  /// one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this sequence does, or when the
  ///   other does before it has sent a value.
  public func withLatestFrom<Other, Result>(
    _ other: SharedSequence<some SharingStrategy, Other>, resultSelector: @escaping (Element, Other) -> Result
  ) -> SharedSequence<Strategy, Result> {
    shared { $0.withLatestFrom(other.source, resultSelector) }
  }

  // MARK: -

  private static func joined<Part>(
    _ sources: some Collection<SharedSequence<Strategy, Part>>,
    _ join: (AnyPublisher<[Part], Never>, AnyPublisher<Part, Never>) -> AnyPublisher<[Part], Never>
  ) -> SharedSequence where Element == [Part] {
    guard let first = sources.first else { return empty() }
    let all = sources.dropFirst().reduce(first.source.map { [$0] }.eraseToAnyPublisher()) { join($0, $1.source) }
    return SharedSequence(sharing: all, on: first.scheduler)
  }

  private static func scheduler(of sources: some Collection<SharedSequence>) -> SharingScheduler {
    sources.first?.scheduler ?? .current
  }
}
#endif

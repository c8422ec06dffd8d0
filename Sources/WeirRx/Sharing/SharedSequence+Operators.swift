#if canImport(Dispatch)
import Weir

// What an operator makes of a shared sequence keeps the promises, so it says so in its type.
extension SharedSequence {
  /// Transforms each value.
  ///
  ///     driver            -1   -2   -3   -|
  ///     .map { $0 * 10 }  -'10'-'20'-'30'-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> SharedSequence<Strategy, Result> {
    shared { $0.map(transform) }
  }

  /// Transforms each value, and leaves out those of which nothing is made.
  ///
  ///     driver                   -1-a-3-|
  ///     .compactMap { Int($0) }  -1---3-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> SharedSequence<Strategy, Result> {
    shared { $0.compactMap(transform) }
  }

  /// Sends the values on for which the closure says so.
  ///
  ///     driver                   -1-2-3-4-|
  ///     .filter { $0 % 2 == 0 }  ---2---4-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> SharedSequence {
    shared { $0.filter(isIncluded) }
  }

  /// Sends what a closure makes of its last result and each value.
  ///
  ///     driver       -1-2-3-|
  ///     .scan(0, +)  -1-3-6-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. A new connection begins anew.
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Element) -> Result
  ) -> SharedSequence<Strategy, Result> {
    shared { $0.scan(initialResult, nextPartialResult) }
  }

  /// Sends some value before the others.
  ///
  ///     driver         -1-2-|
  ///     .startWith(0)  01-2-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection begins with it.
  public func startWith(_ element: Element) -> SharedSequence {
    shared { $0.prepend(element) }
  }

  /// Leaves out values that equal the last one.
  ///
  ///     driver                   -1-1-2-1-|
  ///     .distinctUntilChanged()  -1---2-1-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func distinctUntilChanged() -> SharedSequence where Element: Equatable {
    shared { $0.removeDuplicates() }
  }

  /// Leaves out values that have the same key as the last one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func distinctUntilChanged<Key: Equatable>(_ key: @escaping (Element) -> Key) -> SharedSequence {
    shared { $0.removeDuplicates { key($0) == key($1) } }
  }

  /// Leaves out values that the closure takes for the same as the last one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func distinctUntilChanged(_ isSame: @escaping (Element, Element) -> Bool) -> SharedSequence {
    shared { $0.removeDuplicates(by: isSame) }
  }

  /// Runs closures when a value passes, and at the end.
  ///
  ///     driver                    -a-b-|
  ///     .do(onNext: { log($0) })  -a-b-|
  ///
  /// - Demand, completion and cancellation: see ``SharedSequence``.
  /// - Threading: the closures run on the main actor, before the subscribers are told.
  public func `do`(
    onNext: @escaping @MainActor (Element) -> Void = { _ in }, onCompleted: @escaping @MainActor () -> Void = {}
  ) -> SharedSequence {
    shared {
      $0.handleEvents(
        receiveOutput: { runOnMainActor($0, onNext) }, receiveCompletion: { _ in runOnMainActor(onCompleted) })
    }
  }

  // MARK: Sequences of sequences

  // What is made of the values decides whether it is a driver or a signal: a tap may lead to a state.

  /// Sends the values of all sequences that are made of the values.
  ///
  ///     driver                        -1---2-|
  ///     a                             -^x-x--x|
  ///     b                             -----^y-y|
  ///     .flatMap { $0 == 1 ? a : b }  --x-x-yxy|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  public func flatMap<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMap { transform($0).source }, on: scheduler)
  }

  /// Sends the values of the sequence that is made of the latest value.
  ///
  ///     driver                              -1---2-|
  ///     a                                   -^x-x!
  ///     b                                   -----^y-y|
  ///     .flatMapLatest { $0 == 1 ? a : b }  --x-x-y-y|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. A new value cancels the sequence before.
  ///   Finishes when this and the last sequence have.
  public func flatMapLatest<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMapLatest { transform($0).source }, on: scheduler)
  }

  /// Sends the values of a sequence that is made of a value, and ignores what comes before that has finished.
  ///
  ///     driver                             -1--2-----2-|
  ///     a                                  -^x-x--x|
  ///     b                                  ----------^y-y|
  ///     .flatMapFirst { $0 == 1 ? a : b }  --x-x--x---y-y|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this and the last sequence
  ///   have.
  public func flatMapFirst<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMapFirst { transform($0).source }, on: scheduler)
  }

  // MARK: Time

  /// Sends a value on when nothing has followed it for a while.
  ///
  ///     driver        -a-bc----d---e|
  ///     .debounce(3)  -------c----d-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. At the end a value that waits is dropped.
  public func debounce(_ dueTime: SharingScheduler.SchedulerTimeType.Stride) -> SharedSequence {
    shared { $0.debounce(for: dueTime, scheduler: scheduler) }
  }

  /// Sends one value on in each interval: the latest, or the first.
  ///
  ///     driver        -abc----d--|
  ///     .throttle(3)  -a--c---d--|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func throttle(
    _ interval: SharingScheduler.SchedulerTimeType.Stride, latest: Bool = true
  ) -> SharedSequence {
    shared { $0.throttle(for: interval, scheduler: scheduler, latest: latest) }
  }

  /// Sends values and the end on after a while.
  ///
  ///     driver     -a-b-|
  ///     .delay(3)  ----a-b-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  public func delay(_ dueTime: SharingScheduler.SchedulerTimeType.Stride) -> SharedSequence {
    shared { $0.delay(for: dueTime, scheduler: scheduler) }
  }
}
#endif

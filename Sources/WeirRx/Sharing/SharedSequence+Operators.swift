#if WEIR_BARE
public import Weir  // whose clock measures the intervals
#else
public import Weir
public import WeirDispatch  // whose times are compared
#endif

// These operators preserve the guarantees of a shared sequence, so their result types express them.
extension SharedSequence {
  /// Transforms each value.
  ///
  ///     driver            -1   -2   -3   -|
  ///     .map { $0 * 10 }  -'10'-'20'-'30'-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> SharedSequence<Strategy, Result> {
    shared { $0.map(transform) }
  }

  /// Transforms each value, and filters out `nil` results.
  ///
  ///     driver                   -1-a-3-|
  ///     .compactMap { Int($0) }  -1---3-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> SharedSequence<Strategy, Result> {
    shared { $0.compactMap(transform) }
  }

  /// Forwards the values for which a predicate holds.
  ///
  ///     driver                   -1-2-3-4-|
  ///     .filter { $0 % 2 == 0 }  ---2---4-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> SharedSequence {
    shared { $0.filter(isIncluded) }
  }

  /// Sends the result of a closure for its previous result and each value.
  ///
  ///     driver       -1-2-3-|
  ///     .scan(0, +)  -1-3-6-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts with the initial
  ///   result.
  @inlinable
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Element) -> Result
  ) -> SharedSequence<Strategy, Result> {
    shared { $0.scan(initialResult, nextPartialResult) }
  }

  /// Sends the result of a closure for its previous result and each value, as `scan(_:_:)` does.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts with the initial
  ///   result.
  @_disfavoredOverload
  @inlinable
  public func scan<Result>(
    _ seed: Result, accumulator: @escaping (Result, Element) -> Result
  ) -> SharedSequence<Strategy, Result> {
    scan(seed, accumulator)
  }

  /// Changes a copy of the initial result by a closure for each value, and sends it.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts with the initial
  ///   result.
  @inlinable
  public func scan<Result>(
    into seed: Result, accumulator: @escaping (inout Result, Element) -> Void
  ) -> SharedSequence<Strategy, Result> {
    scan(seed) { previous, element in
      var result = previous
      accumulator(&result, element)
      return result
    }
  }

  /// Sends a value before all others.
  ///
  ///     driver         -1-2-|
  ///     .startWith(0)  01-2-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Each connection starts with this value.
  @inlinable
  public func startWith(_ element: Element) -> SharedSequence {
    shared { $0.prepend(element) }
  }

  /// Filters out values that are equal to the previous one.
  ///
  ///     driver                   -1-1-2-1-|
  ///     .distinctUntilChanged()  -1---2-1-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func distinctUntilChanged() -> SharedSequence where Element: Equatable {
    shared { $0.removeDuplicates() }
  }

  /// Filters out values with the key of the previous one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func distinctUntilChanged<Key: Equatable>(_ key: @escaping (Element) -> Key) -> SharedSequence {
    shared { $0.removeDuplicates { key($0) == key($1) } }
  }

  /// Filters out values that a predicate considers equal to the previous one.
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func distinctUntilChanged(_ isSame: @escaping (Element, Element) -> Bool) -> SharedSequence {
    shared { $0.removeDuplicates(by: isSame) }
  }

  /// Calls closures for the events of a connection.
  ///
  ///     driver                    -a-b-|
  ///     .do(onNext: { log($0) })  -a-b-|
  ///
  /// - Demand, completion and cancellation: see ``SharedSequence``.
  /// - Threading: the closures run on the main actor, before the subscribers receive the event.
  ///
  /// - Parameters:
  ///   - onNext: runs for each value.
  ///   - onCompleted: runs at completion.
  ///   - onSubscribe: runs before the connection of the first subscriber subscribes to this sequence.
  ///   - onSubscribed: runs when this sequence has sent its subscription.
  ///   - onDispose: runs after `onCompleted`, or when the last subscriber cancels.
  /// - Returns: this sequence, whose events also call the closures.
  @inlinable
  public func `do`(
    onNext: @escaping @MainActor (Element) -> Void = { _ in }, onCompleted: @escaping @MainActor () -> Void = {},
    onSubscribe: @escaping @MainActor () -> Void = {}, onSubscribed: @escaping @MainActor () -> Void = {},
    onDispose: @escaping @MainActor () -> Void = {}
  ) -> SharedSequence {
    shared { source in
      Deferred {
        runOnMainActor(onSubscribe)
        return source.handleEvents(
          receiveSubscription: { _ in runOnMainActor(onSubscribed) }, receiveOutput: { runOnMainActor($0, onNext) },
          receiveCompletion: { _ in
            runOnMainActor(onCompleted)
            runOnMainActor(onDispose)
          }, receiveCancel: { runOnMainActor(onDispose) })
      }
    }
  }

  // MARK: Sequences of sequences

  // The inner sequences decide whether the result is a driver or a signal: a tap can lead to a state.

  /// Maps each value to a sequence, and merges the values of these sequences.
  ///
  ///     driver                        -1---2-|
  ///     a                             -^x-x--x|
  ///     b                             -----^y-y|
  ///     .flatMap { $0 == 1 ? a : b }  --x-x-yxy|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when all have.
  @inlinable
  public func flatMap<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMap { transform($0).source }, on: scheduler)
  }

  /// Maps each value to a sequence, and forwards the values of the latest one.
  ///
  ///     driver                              -1---2-|
  ///     a                                   -^x-x!
  ///     b                                   -----^y-y|
  ///     .flatMapLatest { $0 == 1 ? a : b }  --x-x-y-y|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. A new value cancels the previous inner
  ///   sequence. Finishes when this sequence and the last inner sequence have.
  @inlinable
  public func flatMapLatest<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMapLatest { transform($0).source }, on: scheduler)
  }

  /// Maps a value to a sequence and forwards its values; ignores values that arrive before it finishes.
  ///
  ///     driver                             -1--2-----2-|
  ///     a                                  -^x-x--x|
  ///     b                                  ----------^y-y|
  ///     .flatMapFirst { $0 == 1 ? a : b }  --x-x--x---y-y|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. Finishes when this sequence and the last
  ///   inner sequence have.
  @inlinable
  public func flatMapFirst<Kind, Result>(
    _ transform: @escaping (Element) -> SharedSequence<Kind, Result>
  ) -> SharedSequence<Kind, Result> {
    SharedSequence<Kind, Result>(sharing: source.flatMapFirst { transform($0).source }, on: scheduler)
  }

  // MARK: Time

  /// Sends a value when no other value has followed it for an interval.
  ///
  ///     driver        -a-bc----d---e|
  ///     .debounce(3)  -------c----d-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``. The completion drops a pending value.
  @inlinable
  public func debounce(_ dueTime: SharingScheduler.SchedulerTimeType.Stride) -> SharedSequence {
    shared { $0.debounce(for: dueTime, scheduler: scheduler) }
  }

  /// Sends a value immediately, and then the latest one of each interval, or no value that follows within an interval.
  ///
  ///     driver        -abc----d--|
  ///     .throttle(3)  -a--c---d--|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two values.
  ///   - latest: whether the latest value that arrives within an interval is sent at its end. Otherwise these values are
  ///     dropped, such as the second tap of a double tap.
  /// - Returns: a sequence of at most one value in each interval.
  @inlinable
  public func throttle(
    _ interval: SharingScheduler.SchedulerTimeType.Stride, latest: Bool = true
  ) -> SharedSequence {
    if latest { return shared { $0.throttle(for: interval, scheduler: scheduler, latest: true) } }
    return shared { [scheduler] source in
      Deferred {
        var end: SharingScheduler.SchedulerTimeType?
        return source.filter { _ in
          let now = scheduler.now
          if let end, now < end { return false }
          end = now.advanced(by: interval)
          return true
        }
      }
    }
  }

  /// Delivers values and the completion after a delay.
  ///
  ///     driver     -a-b-|
  ///     .delay(3)  ----a-b-|
  ///
  /// - Demand, completion and cancellation, threading: see ``SharedSequence``.
  @inlinable
  public func delay(_ dueTime: SharingScheduler.SchedulerTimeType.Stride) -> SharedSequence {
    shared { $0.delay(for: dueTime, scheduler: scheduler) }
  }
}

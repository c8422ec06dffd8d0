// .ci/twins writes Maybe+Operators.swift from this file.

public import Weir

// These operators preserve the guarantee of a single, so their result types express it.
extension Single {
  // MARK: The value

  /// Transforms the value.
  ///
  ///     single            --(1|)
  ///     .map { $0 * 10 }  --('10'|)
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Single<Result, Failure> {
    Single<Result, Failure>(trusting: source.map(transform))
  }

  /// Transforms the value, or discards it.
  ///
  ///     single                   --(a|)
  ///     .compactMap { Int($0) }  --|
  ///
  /// - Demand and cancellation: unchanged.
  /// - Completion: finishes without a value if the closure returns `nil`.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.compactMap(transform))
  }

  /// Forwards the value if a predicate holds for it.
  ///
  ///     single                   --(1|)
  ///     .filter { $0 % 2 == 0 }  --|
  ///
  /// - Demand and cancellation: unchanged.
  /// - Completion: finishes without a value if the predicate does not hold.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Maybe<Output, Failure> {
    Maybe(trusting: source.filter(isIncluded))
  }

  /// Maps the value to a single, and forwards its events.
  ///
  ///     single                   --(1|)
  ///     other                    --^   --(a|)
  ///     .flatMap { _ in other }  ---   --(a|)
  ///
  /// - Demand: requests this single's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func flatMap<Result>(
    _ transform: @escaping (Output) -> Single<Result, Failure>
  ) -> Single<Result, Failure> {
    Single<Result, Failure>(trusting: source.flatMap { transform($0).source })
  }

  /// Maps the value to a completable, and forwards its events.
  ///
  ///     single                              --(1|)
  ///     saved                               --^   --|
  ///     .flatMapCompletable { _ in saved }  ---   --|
  ///
  /// - Demand: requests this single's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func flatMapCompletable(
    _ transform: @escaping (Output) -> Completable<Failure>
  ) -> Completable<Failure> {
    Completable(source.flatMap { transform($0).source })
  }

  /// Replaces a failure with a value.
  ///
  ///     single              ---#
  ///     .catchAndReturn(0)  ---(0|)
  ///
  /// - Demand, cancellation, threading: unchanged.
  /// - Completion: a failure is replaced by the value and a finish.
  @inlinable
  public func catchAndReturn(_ value: Output) -> Single<Output, Never> {
    Single<Output, Never>(trusting: source.replaceError(with: value))
  }

  // MARK: Failures

  /// Transforms the failure.
  ///
  ///     single                           ---#
  ///     .mapError { _ in URLMissing() }  ---#
  ///
  /// - Demand and cancellation: unchanged.
  /// - Completion: a failure is replaced by the closure's.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Single<Output, NewFailure> {
    Single<Output, NewFailure>(trusting: source.mapError(transform))
  }

  /// Replaces a failure with the single that a closure returns.
  ///
  ///     single                 ---#
  ///     other                  ---^-(8|)
  ///     .catch { _ in other }  -----(8|)
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is replaced by the events of the closure's single. Cancellation reaches
  ///   the one that is in flight.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping (Failure) -> Single<Output, NewFailure>
  ) -> Single<Output, NewFailure> {
    Single<Output, NewFailure>(trusting: source.catch { handler($0).source })
  }

  /// Replaces a failure with the single that a closure returns, which has the same type of failure.
  ///
  ///     single.catch { _ in .just(0) }
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is replaced by the events of the closure's single. Cancellation reaches
  ///   the one that is in flight.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func `catch`(_ handler: @escaping (Failure) -> Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: source.catch { handler($0).source })
  }

  /// Subscribes again after a failure, at most `retries` times.
  ///
  ///     single     --(#^)--(1|)
  ///     .retry(1)  ---   --(1|)
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is forwarded only if no attempt remains. Cancellation reaches the attempt
  ///   that is in flight.
  /// - Threading: subscribes again where this single fails.
  @inlinable
  public func retry(_ retries: Int) -> Single<Output, Failure> {
    Single(trusting: source.retry(retries))
  }

  // MARK: Time

  /// Delays all events.
  ///
  ///     single                            --(1|)
  ///     .delay(for: 3, scheduler: clock)  ---   --(1|)
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: the completion is delayed too, also a failure.
  /// - Threading: delivers on the scheduler.
  @inlinable
  public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> Single<Output, Failure> {
    Single(trusting: source.delay(for: interval, scheduler: scheduler))
  }

  /// Fails with a closure's error if no event has arrived in time.
  ///
  ///     single                                                 ---!
  ///     .timeout(3, scheduler: clock, orFailWith: { Oops() })  ---#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: when the time is up, this single is cancelled.
  /// - Threading: delivers on the scheduler, where the closure runs too.
  @inlinable
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, orFailWith failure: @escaping () -> Failure
  ) -> Single<Output, Failure> {
    Single(trusting: source.timeout(interval, scheduler: scheduler, customError: failure))
  }

  /// Delivers on a scheduler.
  ///
  ///     single               --(1|)
  ///     .receive(on: clock)  --(1|)
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: delivers on the scheduler.
  @inlinable
  public func receive<S: Scheduler>(on scheduler: S) -> Single<Output, Failure> {
    Single(trusting: source.receive(on: scheduler, options: nil))
  }

  // MARK: zip

  /// Combines the values of two singles as a pair.
  ///
  ///     a                 ---   -(1|)
  ///     b                 --(x|)
  ///     Single.zip(a, b)  ---   -('1x'|)
  ///
  /// - Demand: requests both values at the first request.
  /// - Completion and cancellation: fails as soon as one fails; the other is cancelled.
  /// - Threading: delivers where the last value arrives.
  @inlinable
  public static func zip<A, B>(_ a: Single<A, Failure>, _ b: Single<B, Failure>) -> Single where Output == (A, B) {
    zip(a, b) { ($0, $1) }
  }

  /// Combines the values of two singles with a closure.
  ///
  /// - Demand, completion and cancellation, threading: as without the closure, which runs where the last value arrives.
  @inlinable
  public static func zip<A, B>(
    _ a: Single<A, Failure>, _ b: Single<B, Failure>, resultSelector: @escaping (A, B) -> Output
  ) -> Single {
    Single(trusting: a.source.zip(b.source, resultSelector))
  }

  /// Combines the values of three singles.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  @inlinable
  public static func zip<A, B, C>(
    _ a: Single<A, Failure>, _ b: Single<B, Failure>, _ c: Single<C, Failure>
  ) -> Single where Output == (A, B, C) {
    zip(a, b, c) { ($0, $1, $2) }
  }

  /// Combines the values of three singles with a closure.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  @inlinable
  public static func zip<A, B, C>(
    _ a: Single<A, Failure>, _ b: Single<B, Failure>, _ c: Single<C, Failure>,
    resultSelector: @escaping (A, B, C) -> Output
  ) -> Single {
    Single(trusting: a.source.zip(b.source, c.source, resultSelector))
  }

  /// Combines the values of all singles, in their order; an empty array if there are none.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<Single<Part, Failure>>
  ) -> Single where Output == [Part] {
    zip(sources) { $0 }
  }

  /// Combines the values of all singles, in their order, by a closure.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<Single<Part, Failure>>, resultSelector: @escaping ([Part]) -> Output
  ) -> Single {
    if sources.isEmpty { return .just(resultSelector([])) }
    return Single(trusting: Publishers.ZipMany(sources.map(\.source)).map(resultSelector))
  }

  /// Combines this value and another's as a pair.
  ///
  /// - Demand, completion and cancellation, threading: as with the static method.
  @inlinable
  public func zip<Other>(_ other: Single<Other, Failure>) -> Single<(Output, Other), Failure> {
    .zip(self, other)
  }

  // MARK: Creating

  /// Creates a single that fails: RxSwift's name of `failure`.
  ///
  ///     Single<Int, Oops>.error(Oops())  #
  @inlinable
  public static func error(_ error: Failure) -> Single {
    failure(error)
  }

  /// Creates a single that sends no event.
  ///
  ///     Single<Int, Never>.never()  ----!
  @inlinable
  public static func never() -> Single {
    Single(trusting: Empty(completeImmediately: false))
  }

  /// Creates a new single for each subscriber.
  ///
  ///     single                                 --^-(1|)
  ///     Single<Int, Oops>.deferred { single }  --^-(1|)
  ///
  /// - Demand, completion and cancellation: those of the created publisher.
  /// - Threading: the closure runs where the subscription is made.
  @inlinable
  public static func deferred(_ factory: @escaping () -> Single) -> Single {
    Single(trusting: Deferred { factory().source })
  }
}

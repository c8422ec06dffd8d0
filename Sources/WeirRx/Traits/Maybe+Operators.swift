public import Weir

// These operators preserve the guarantee of a maybe, so their result types express it.
extension Maybe {
  // MARK: The value

  /// Transforms the value.
  ///
  ///     maybe             --(1|)
  ///     .map { $0 * 10 }  --('10'|)
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.map(transform))
  }

  /// Transforms the value, or discards it.
  ///
  ///     maybe                    --(a|)
  ///     .compactMap { Int($0) }  --|
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.compactMap(transform))
  }

  /// Forwards the value if a predicate holds for it.
  ///
  ///     maybe                    --(1|)
  ///     .filter { $0 % 2 == 0 }  --|
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Maybe<Output, Failure> {
    Maybe(trusting: source.filter(isIncluded))
  }

  /// Maps the value to a maybe, and forwards its events.
  ///
  ///     maybe                    --(1|)
  ///     other                    --^   --(a|)
  ///     .flatMap { _ in other }  ---   --(a|)
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: the closure runs where this maybe delivers.
  public func flatMap<Result>(
    _ transform: @escaping (Output) -> Maybe<Result, Failure>
  ) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.flatMap { transform($0).source })
  }

  /// Maps the value to a completable, and forwards its events.
  ///
  ///     maybe                               --(1|)
  ///     saved                               --^   --|
  ///     .flatMapCompletable { _ in saved }  ---   --|
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: the closure runs where this maybe delivers.
  public func flatMapCompletable(
    _ transform: @escaping (Output) -> Completable<Failure>
  ) -> Completable<Failure> {
    Completable(source.flatMap { transform($0).source })
  }

  /// Replaces a failure with a value.
  ///
  ///     maybe               ---#
  ///     .catchAndReturn(0)  ---(0|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func catchAndReturn(_ value: Output) -> Maybe<Output, Never> {
    Maybe<Output, Never>(trusting: source.replaceError(with: value))
  }

  // MARK: Without a value

  /// Sends a default value if this maybe has no value.
  ///
  ///     maybe                 ---|
  ///     .ifEmpty(default: 0)  ---(0|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func ifEmpty(default value: Output) -> Single<Output, Failure> {
    Single(trusting: source.replaceEmpty(with: value))
  }

  /// Continues with a single if this maybe has no value.
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the other where this maybe finishes.
  public func ifEmpty(switchTo other: Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: orElse(other.source))
  }

  /// Continues with another maybe if this one has no value.
  ///
  /// - Demand: requests this maybe's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the other where this maybe finishes.
  public func ifEmpty(switchTo other: Maybe) -> Maybe {
    Maybe(trusting: orElse(other.source))
  }

  private func orElse(_ other: AnyPublisher<Output, Failure>) -> some Publisher<Output, Failure> {
    source.map(Output?.some).replaceEmpty(with: nil).flatMap { (value: Output?) -> AnyPublisher<Output, Failure> in
      value.map { Single.just($0).source } ?? other
    }
  }

  // MARK: Failures

  /// Transforms the failure.
  ///
  ///     maybe                            ---#
  ///     .mapError { _ in URLMissing() }  ---#
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Maybe<Output, NewFailure> {
    Maybe<Output, NewFailure>(trusting: source.mapError(transform))
  }

  /// Replaces a failure with the maybe that a closure returns.
  ///
  ///     maybe                  ---#
  ///     other                  ---^-|
  ///     .catch { _ in other }  -----|
  ///
  /// - Demand, completion and cancellation: unchanged. Cancellation reaches the attempt that is in flight.
  /// - Threading: the closure runs where this maybe delivers.
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping (Failure) -> Maybe<Output, NewFailure>
  ) -> Maybe<Output, NewFailure> {
    Maybe<Output, NewFailure>(trusting: source.catch { handler($0).source })
  }

  /// Subscribes again after a failure, at most `retries` times.
  ///
  ///     maybe      --(#^)--|
  ///     .retry(1)  ---   --|
  ///
  /// - Demand, completion and cancellation: unchanged. Cancellation reaches the attempt that is in flight.
  /// - Threading: subscribes again where this maybe fails.
  public func retry(_ retries: Int) -> Maybe<Output, Failure> {
    Maybe(trusting: source.retry(retries))
  }

  // MARK: Time

  /// Delays all events.
  ///
  ///     maybe                             --|
  ///     .delay(for: 3, scheduler: clock)  -----|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: the completion is delayed too, also a failure.
  /// - Threading: delivers on the scheduler.
  public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> Maybe<Output, Failure> {
    Maybe(trusting: source.delay(for: interval, scheduler: scheduler))
  }

  /// Fails with a closure's error if no event has arrived in time.
  ///
  ///     maybe                                                  ---!
  ///     .timeout(3, scheduler: clock, orFailWith: { Oops() })  ---#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: when the time is up, this maybe is cancelled.
  /// - Threading: delivers on the scheduler, where the closure runs too.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, orFailWith failure: @escaping () -> Failure
  ) -> Maybe<Output, Failure> {
    Maybe(trusting: source.timeout(interval, scheduler: scheduler, customError: failure))
  }

  /// Delivers on a scheduler.
  ///
  ///     maybe                --(1|)
  ///     .receive(on: clock)  --(1|)
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: delivers on the scheduler.
  public func receive<S: Scheduler>(on scheduler: S) -> Maybe<Output, Failure> {
    Maybe(trusting: source.receive(on: scheduler, options: nil))
  }

  // MARK: zip

  /// Combines the values of two maybes as a pair.
  ///
  ///     a                --!
  ///     b                --|
  ///     Maybe.zip(a, b)  --|
  ///
  /// - Demand: requests both values at the first request.
  /// - Completion and cancellation: fails as soon as one fails. Finishes without a value as soon as one has none. The
  ///   other is then cancelled.
  /// - Threading: delivers where the last value arrives.
  public static func zip<A, B>(_ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>) -> Maybe where Output == (A, B) {
    zip(a, b) { ($0, $1) }
  }

  /// Combines the values of two maybes with a closure.
  ///
  /// - Demand, completion and cancellation, threading: as without the closure, which runs where the last value arrives.
  public static func zip<A, B>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, resultSelector: @escaping (A, B) -> Output
  ) -> Maybe {
    Maybe(trusting: a.source.zip(b.source, resultSelector))
  }

  /// Combines the values of three maybes.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<A, B, C>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, _ c: Maybe<C, Failure>
  ) -> Maybe where Output == (A, B, C) {
    zip(a, b, c) { ($0, $1, $2) }
  }

  /// Combines the values of three maybes with a closure.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<A, B, C>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, _ c: Maybe<C, Failure>,
    resultSelector: @escaping (A, B, C) -> Output
  ) -> Maybe {
    Maybe(trusting: a.source.zip(b.source, c.source, resultSelector))
  }

  /// Combines the values of all maybes, in their order; an empty array if there are none.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<Part>(
    _ sources: some Collection<Maybe<Part, Failure>>
  ) -> Maybe where Output == [Part] {
    sources.reduce(.just([])) { all, next in Maybe.zip(all, next) { $0 + [$1] } }
  }

  /// Combines this value and another's as a pair.
  ///
  /// - Demand, completion and cancellation, threading: as with the static method.
  public func zip<Other>(_ other: Maybe<Other, Failure>) -> Maybe<(Output, Other), Failure> {
    .zip(self, other)
  }

  // MARK: Creating

  /// Creates a maybe that fails: RxSwift's name of `failure`.
  ///
  ///     Maybe<Int, Oops>.error(Oops())  #
  public static func error(_ error: Failure) -> Maybe {
    failure(error)
  }

  /// Creates a maybe that sends no event.
  ///
  ///     Maybe<Int, Never>.never()  ----!
  public static func never() -> Maybe {
    Maybe(trusting: Empty(completeImmediately: false))
  }

  /// Creates a new maybe for each subscriber.
  ///
  ///     maybe                                --^-|
  ///     Maybe<Int, Oops>.deferred { maybe }  --^-|
  ///
  /// - Demand, completion and cancellation: those of the created publisher.
  /// - Threading: the closure runs where the subscription is made.
  public static func deferred(_ factory: @escaping () -> Maybe) -> Maybe {
    Maybe(trusting: Deferred { factory().source })
  }
}

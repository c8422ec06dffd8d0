public import Weir

// What an operator makes of a maybe keeps the promise, so it says so in its type.
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

  /// Transforms the value, or leaves it out.
  ///
  ///     maybe                    --(a|)
  ///     .compactMap { Int($0) }  --|
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.compactMap(transform))
  }

  /// Leaves the value out unless the closure says otherwise.
  ///
  ///     maybe                    --(1|)
  ///     .filter { $0 % 2 == 0 }  --|
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this maybe delivers.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Maybe<Output, Failure> {
    Maybe(trusting: source.filter(isIncluded))
  }

  /// Goes on with the maybe that a closure makes of the value.
  ///
  ///     maybe                    --(1|)
  ///     other                    --^   --(a|)
  ///     .flatMap { _ in other }  ---   --(a|)
  ///
  /// - Demand: this maybe is asked for its value at the subscription.
  /// - Completion and cancellation: a cancel reaches the one that is under way.
  /// - Threading: the closure runs where this maybe delivers.
  public func flatMap<Result>(
    _ transform: @escaping (Output) -> Maybe<Result, Failure>
  ) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.flatMap { transform($0).source })
  }

  /// Goes on with the completable that a closure makes of the value.
  ///
  ///     maybe                               --(1|)
  ///     saved                               --^   --|
  ///     .flatMapCompletable { _ in saved }  ---   --|
  ///
  /// - Demand: this maybe is asked for its value at the subscription.
  /// - Completion and cancellation: a cancel reaches the one that is under way.
  /// - Threading: the closure runs where this maybe delivers.
  public func flatMapCompletable(
    _ transform: @escaping (Output) -> Completable<Failure>
  ) -> Completable<Failure> {
    Completable(source.flatMap { transform($0).source })
  }

  /// A value in the place of a failure.
  ///
  ///     maybe               ---#
  ///     .catchAndReturn(0)  ---(0|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func catchAndReturn(_ value: Output) -> Maybe<Output, Never> {
    Maybe<Output, Never>(trusting: source.replaceError(with: value))
  }

  // MARK: Without a value

  /// Sends a value if this maybe has none.
  ///
  ///     maybe                 ---|
  ///     .ifEmpty(default: 0)  ---(0|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func ifEmpty(default value: Output) -> Single<Output, Failure> {
    Single(trusting: source.replaceEmpty(with: value))
  }

  /// Goes on with a single if this maybe has no value.
  ///
  /// - Demand: this maybe is asked for its value at the subscription.
  /// - Completion and cancellation: a cancel reaches the one that is under way.
  /// - Threading: subscribes to the other where this maybe finishes.
  public func ifEmpty(switchTo other: Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: orElse(other.source))
  }

  /// Goes on with another maybe if this one has no value.
  ///
  /// - Demand: this maybe is asked for its value at the subscription.
  /// - Completion and cancellation: a cancel reaches the one that is under way.
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

  /// Goes on with what a closure makes of the failure.
  ///
  ///     maybe                  ---#
  ///     other                  ---^-|
  ///     .catch { _ in other }  -----|
  ///
  /// - Demand, completion and cancellation: unchanged; a cancel reaches the one that is under way.
  /// - Threading: the closure runs where this maybe delivers.
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping (Failure) -> Maybe<Output, NewFailure>
  ) -> Maybe<Output, NewFailure> {
    Maybe<Output, NewFailure>(trusting: source.catch { handler($0).source })
  }

  /// Subscribes again after a failure, at most so many times.
  ///
  ///     maybe      --(#^)--|
  ///     .retry(1)  ---   --|
  ///
  /// - Demand, completion and cancellation: unchanged; a cancel reaches the one that is under way.
  /// - Threading: subscribes again where this maybe fails.
  public func retry(_ retries: Int) -> Maybe<Output, Failure> {
    Maybe(trusting: source.retry(retries))
  }

  // MARK: Time

  /// Delivers later.
  ///
  ///     maybe                             --|
  ///     .delay(for: 3, scheduler: clock)  -----|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: the end is delayed too, and so is a failure.
  /// - Threading: delivers on the scheduler.
  public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> Maybe<Output, Failure> {
    Maybe(trusting: source.delay(for: interval, scheduler: scheduler))
  }

  /// Fails with what a closure makes if nothing has come in time.
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

  /// The values of two maybes as a pair.
  ///
  ///     a                --!
  ///     b                --|
  ///     Maybe.zip(a, b)  --|
  ///
  /// - Demand: both are asked for their value at the first request.
  /// - Completion and cancellation: fails as soon as one fails; finishes without a value as soon as one has none; the other is cancelled.
  /// - Threading: delivers where the last value arrives.
  public static func zip<A, B>(_ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>) -> Maybe where Output == (A, B) {
    zip(a, b) { ($0, $1) }
  }

  /// What a closure makes of the values of two maybes.
  ///
  /// - Demand, completion and cancellation, threading: as without the closure, which runs where the last value arrives.
  public static func zip<A, B>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, resultSelector: @escaping (A, B) -> Output
  ) -> Maybe {
    Maybe(trusting: a.source.zip(b.source, resultSelector))
  }

  /// The values of three maybes.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<A, B, C>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, _ c: Maybe<C, Failure>
  ) -> Maybe where Output == (A, B, C) {
    zip(a, b, c) { ($0, $1, $2) }
  }

  /// What a closure makes of the values of three maybes.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<A, B, C>(
    _ a: Maybe<A, Failure>, _ b: Maybe<B, Failure>, _ c: Maybe<C, Failure>,
    resultSelector: @escaping (A, B, C) -> Output
  ) -> Maybe {
    Maybe(trusting: a.source.zip(b.source, c.source, resultSelector))
  }

  /// The values of all maybes, in their order; an empty array if there are none.
  ///
  /// - Demand, completion and cancellation, threading: as with two.
  public static func zip<Part>(
    _ sources: some Collection<Maybe<Part, Failure>>
  ) -> Maybe where Output == [Part] {
    sources.reduce(.just([])) { all, next in Maybe.zip(all, next) { $0 + [$1] } }
  }

  /// This value and another's as a pair.
  ///
  /// - Demand, completion and cancellation, threading: as with the static method.
  public func zip<Other>(_ other: Maybe<Other, Failure>) -> Maybe<(Output, Other), Failure> {
    .zip(self, other)
  }

  // MARK: Making

  /// Makes a maybe that fails: what Rx calls `failure`.
  ///
  ///     Maybe<Int, Oops>.error(Oops())  #
  public static func error(_ error: Failure) -> Maybe {
    failure(error)
  }

  /// Makes a maybe that tells nothing.
  ///
  ///     Maybe<Int, Never>.never()  ----!
  public static func never() -> Maybe {
    Maybe(trusting: Empty(completeImmediately: false))
  }

  /// Makes the maybe anew for each subscriber.
  ///
  ///     maybe                                --^-|
  ///     Maybe<Int, Oops>.deferred { maybe }  --^-|
  ///
  /// - Demand, completion and cancellation: those of what is made.
  /// - Threading: the closure runs where the subscription is made.
  public static func deferred(_ factory: @escaping () -> Maybe) -> Maybe {
    Maybe(trusting: Deferred { factory().source })
  }
}

public import Weir

// What an operator makes of a completable keeps the promise, so it says so in its type.
extension Completable {
  // MARK: What follows

  /// Goes on with another completable.
  ///
  ///     saved                  ---|
  ///     loaded                 ---^-|
  ///     saved.andThen(loaded)  -----|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the next where this one finishes.
  public func andThen(_ next: Completable) -> Completable {
    Completable(source.append(next.source))
  }

  /// Goes on with a single.
  ///
  /// - Demand: the single's.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the single where this one finishes.
  public func andThen<Output>(_ next: Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: followed(by: next.source))
  }

  /// Goes on with a maybe.
  ///
  /// - Demand: the maybe's.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the maybe where this one finishes.
  public func andThen<Output>(_ next: Maybe<Output, Failure>) -> Maybe<Output, Failure> {
    Maybe(trusting: followed(by: next.source))
  }

  /// Goes on with a publisher.
  ///
  /// - Demand: the publisher's.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the publisher where this one finishes.
  public func andThen<Next: Publisher>(_ next: Next) -> AnyPublisher<Next.Output, Failure>
  where Next.Failure == Failure {
    followed(by: next).eraseToAnyPublisher()
  }

  private func followed<Next: Publisher>(by next: Next) -> some Publisher<Next.Output, Failure>
  where Next.Failure == Failure {
    source.map { (never: Never) -> Next.Output in }.append(next)
  }

  /// Is done when all are, which are under way at the same time.
  ///
  ///     a                      ---|
  ///     b                      --|
  ///     Completable.zip(a, b)  ---|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: fails as soon as one fails; the others are cancelled.
  /// - Threading: delivers where the last finishes.
  public static func zip(_ parts: Completable...) -> Completable {
    zip(parts)
  }

  /// Is done when all are, which are under way at the same time.
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: fails as soon as one fails; the others are cancelled.
  /// - Threading: delivers where the last finishes.
  public static func zip(_ parts: some Collection<Completable>) -> Completable {
    Completable(Publishers.MergeMany(parts.map(\.source)))
  }

  /// Is done when all are, each of which follows the one before.
  ///
  ///     a                         ---|
  ///     b                         ---^-|
  ///     Completable.concat(a, b)  -----|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the next where the one before finishes.
  public static func concat(_ parts: Completable...) -> Completable {
    concat(parts)
  }

  /// Is done when all are, each of which follows the one before.
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: a failure is the end. A cancel reaches the one that is under way.
  /// - Threading: subscribes to the next where the one before finishes.
  public static func concat(_ parts: some Collection<Completable>) -> Completable {
    parts.reduce(.empty()) { $0.andThen($1) }
  }

  // MARK: Failures

  /// Transforms the failure.
  ///
  ///     completable                      ---#
  ///     .mapError { _ in URLMissing() }  ---#
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: the closure runs where this completable delivers.
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Completable<NewFailure> {
    Completable<NewFailure>(source.mapError(transform))
  }

  /// Goes on with what a closure makes of the failure.
  ///
  ///     completable            ---#
  ///     other                  ---^-|
  ///     .catch { _ in other }  -----|
  ///
  /// - Demand, completion and cancellation: unchanged; a cancel reaches the one that is under way.
  /// - Threading: the closure runs where this completable delivers.
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping (Failure) -> Completable<NewFailure>
  ) -> Completable<NewFailure> {
    Completable<NewFailure>(source.catch { handler($0).source })
  }

  /// Subscribes again after a failure, at most so many times.
  ///
  ///     completable  --(#^)--|
  ///     .retry(1)    ---   --|
  ///
  /// - Demand, completion and cancellation: unchanged; a cancel reaches the one that is under way.
  /// - Threading: subscribes again where this completable fails.
  public func retry(_ retries: Int) -> Completable<Failure> {
    Completable(source.retry(retries))
  }

  // MARK: Time

  /// Delivers later.
  ///
  ///     completable                       --|
  ///     .delay(for: 3, scheduler: clock)  -----|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: the end is delayed, and so is a failure.
  /// - Threading: delivers on the scheduler.
  public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> Completable<Failure> {
    Completable(source.delay(for: interval, scheduler: scheduler))
  }

  /// Fails with what a closure makes if the end has not come in time.
  ///
  ///     completable                                            ---!
  ///     .timeout(3, scheduler: clock, orFailWith: { Oops() })  ---#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: when the time is up, this completable is cancelled.
  /// - Threading: delivers on the scheduler, where the closure runs too.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, orFailWith failure: @escaping () -> Failure
  ) -> Completable<Failure> {
    Completable(source.timeout(interval, scheduler: scheduler, customError: failure))
  }

  /// Delivers on a scheduler.
  ///
  ///     completable          --|
  ///     .receive(on: clock)  --|
  ///
  /// - Demand, completion and cancellation: unchanged.
  /// - Threading: delivers on the scheduler.
  public func receive<S: Scheduler>(on scheduler: S) -> Completable<Failure> {
    Completable(source.receive(on: scheduler, options: nil))
  }

  // MARK: Making

  /// Makes a completable that fails: what Rx calls `failure`.
  ///
  ///     Completable<Oops>.error(Oops())  #
  public static func error(_ error: Failure) -> Completable {
    failure(error)
  }

  /// Makes a completable that tells nothing.
  ///
  ///     Completable<Never>.never()  ----!
  public static func never() -> Completable {
    Completable(Empty(completeImmediately: false))
  }

  /// Makes the completable anew for each subscriber.
  ///
  ///     saved                                 --^-|
  ///     Completable<Oops>.deferred { saved }  --^-|
  ///
  /// - Demand, completion and cancellation: those of what is made.
  /// - Threading: the closure runs where the subscription is made.
  public static func deferred(_ factory: @escaping () -> Completable) -> Completable {
    Completable(Deferred { factory().source })
  }
}

public import Weir

// These operators preserve the guarantee of a completable, so their result types express it.
extension Completable {
  // MARK: Sequencing

  /// Continues with another completable after this one has finished.
  ///
  ///     saved                  ---|
  ///     loaded                 ---^-|
  ///     saved.andThen(loaded)  -----|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the next where this one finishes.
  @inlinable
  public func andThen(_ next: Completable) -> Completable {
    Completable(source.append(next.source))
  }

  /// Continues with a single after this completable has finished.
  ///
  /// - Demand: the single's.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the single where this one finishes.
  @inlinable
  public func andThen<Output>(_ next: Single<Output, Failure>) -> Single<Output, Failure> {
    Single(trusting: followed(by: next.source))
  }

  /// Continues with a maybe after this completable has finished.
  ///
  /// - Demand: the maybe's.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the maybe where this one finishes.
  @inlinable
  public func andThen<Output>(_ next: Maybe<Output, Failure>) -> Maybe<Output, Failure> {
    Maybe(trusting: followed(by: next.source))
  }

  /// Continues with a publisher after this completable has finished.
  ///
  /// - Demand: the publisher's.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the publisher where this one finishes.
  @inlinable
  public func andThen<Next: Publisher>(_ next: Next) -> AnyPublisher<Next.Output, Failure>
  where Next.Failure == Failure {
    followed(by: next).eraseToAnyPublisher()
  }

  @inlinable
  func followed<Next: Publisher>(by next: Next) -> some Publisher<Next.Output, Failure>
  where Next.Failure == Failure {
    source.map { (never: Never) -> Next.Output in }.append(next)
  }

  /// Finishes when all have finished; all run concurrently.
  ///
  ///     a                      ---|
  ///     b                      --|
  ///     Completable.zip(a, b)  ---|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: fails as soon as one fails; the others are cancelled.
  /// - Threading: delivers where the last finishes.
  @inlinable
  public static func zip(_ parts: Completable...) -> Completable {
    zip(parts)
  }

  /// Finishes when all have finished; all run concurrently.
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: fails as soon as one fails; the others are cancelled.
  /// - Threading: delivers where the last finishes.
  @inlinable
  public static func zip(_ parts: some Collection<Completable>) -> Completable {
    Completable(Publishers.MergeMany(parts.map(\.source)))
  }

  /// Finishes when all have finished; each starts after the previous one.
  ///
  ///     a                         ---|
  ///     b                         ---^-|
  ///     Completable.concat(a, b)  -----|
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the next one where the previous one finishes.
  @inlinable
  public static func concat(_ parts: Completable...) -> Completable {
    concat(parts)
  }

  /// Finishes when all have finished; each starts after the previous one.
  ///
  /// - Demand: none is needed.
  /// - Completion and cancellation: the first failure fails the result. Cancellation reaches the one that is in flight.
  /// - Threading: subscribes to the next one where the previous one finishes.
  @inlinable
  public static func concat(_ parts: some Collection<Completable>) -> Completable {
    Completable(parts.map(\.source).publisher.concatMap { $0 })
  }

  // MARK: Failures

  /// Transforms the failure.
  ///
  ///     completable                      ---#
  ///     .mapError { _ in URLMissing() }  ---#
  ///
  /// - Demand and cancellation: unchanged.
  /// - Completion: a failure is replaced by the closure's.
  /// - Threading: the closure runs where this completable delivers.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Completable<NewFailure> {
    Completable<NewFailure>(source.mapError(transform))
  }

  /// Replaces a failure with the completable that a closure returns.
  ///
  ///     completable            ---#
  ///     other                  ---^-|
  ///     .catch { _ in other }  -----|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is replaced by the events of the closure's completable. Cancellation
  ///   reaches the one that is in flight.
  /// - Threading: the closure runs where this completable delivers.
  @inlinable
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping (Failure) -> Completable<NewFailure>
  ) -> Completable<NewFailure> {
    Completable<NewFailure>(source.catch { handler($0).source })
  }

  /// Replaces a failure with the completable that a closure returns, which has the same type of failure.
  ///
  ///     completable.catch { _ in .empty() }
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is replaced by the events of the closure's completable. Cancellation
  ///   reaches the one that is in flight.
  /// - Threading: the closure runs where this completable delivers.
  @inlinable
  public func `catch`(_ handler: @escaping (Failure) -> Completable<Failure>) -> Completable<Failure> {
    Completable(source.catch { handler($0).source })
  }

  /// Subscribes again after a failure, at most `retries` times.
  ///
  ///     completable  --(#^)--|
  ///     .retry(1)    ---   --|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure is forwarded only if no attempt remains. Cancellation reaches the attempt
  ///   that is in flight.
  /// - Threading: subscribes again where this completable fails.
  @inlinable
  public func retry(_ retries: Int) -> Completable<Failure> {
    Completable(source.retry(retries))
  }

  // MARK: Time

  /// Delays the completion.
  ///
  ///     completable                       --|
  ///     .delay(for: 3, scheduler: clock)  -----|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: the completion is delayed too, also a failure.
  /// - Threading: delivers on the scheduler.
  @inlinable
  public func delay<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> Completable<Failure> {
    Completable(source.delay(for: interval, scheduler: scheduler))
  }

  /// Fails with a closure's error if no event has arrived in time.
  ///
  ///     completable                                            ---!
  ///     .timeout(3, scheduler: clock, orFailWith: { Oops() })  ---#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: when the time is up, this completable is cancelled.
  /// - Threading: delivers on the scheduler, where the closure runs too.
  @inlinable
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
  @inlinable
  public func receive<S: Scheduler>(on scheduler: S) -> Completable<Failure> {
    Completable(source.receive(on: scheduler, options: nil))
  }

  // MARK: Creating

  /// Creates a completable that fails: RxSwift's name of `failure`.
  ///
  ///     Completable<Oops>.error(Oops())  #
  @inlinable
  public static func error(_ error: Failure) -> Completable {
    failure(error)
  }

  /// Creates a completable that sends no event.
  ///
  ///     Completable<Never>.never()  ----!
  @inlinable
  public static func never() -> Completable {
    Completable(Empty(completeImmediately: false))
  }

  /// Creates a new completable for each subscriber.
  ///
  ///     saved                                 --^-|
  ///     Completable<Oops>.deferred { saved }  --^-|
  ///
  /// - Demand, completion and cancellation: those of the created publisher.
  /// - Threading: the closure runs where the subscription is made.
  @inlinable
  public static func deferred(_ factory: @escaping () -> Completable) -> Completable {
    Completable(Deferred { factory().source })
  }
}

public import Weir

/// What a single tells: its value or a failure.
public typealias SingleEvent<Output, Failure: Error> = Result<Output, Failure>

/// A publisher of exactly one value, or of a failure.
///
///     source       ---1-|
///     .asSingle()  -----(1|)
///
/// - Demand: the value waits for the first request.
/// - Completion and cancellation: finishes after the value.
/// - Threading: that of what it was made of.
public struct Single<Output, Failure: Error>: _DirectPublisher {
  let source: AnyPublisher<Output, Failure>

  @usableFromInline
  package let place = Place()

  /// For a source that is known to keep the promise.
  init(trusting source: some Publisher<Output, Failure>) {
    self.source = source.eraseToAnyPublisher()
  }

  /// Makes a single of a closure that tells its value or failure, once.
  ///
  ///     tell                               ---7
  ///     Single<Int, Never>.create(listen)  ---(7|)
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request.
  /// - Completion and cancellation: the first event counts. What the closure returns is cancelled once, after the event
  ///   or at a cancel.
  /// - Threading: the event may be told on any thread, and is delivered there.
  public static func create(
    _ body: @escaping (@escaping (SingleEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Single {
    Single(
      trusting: oneEvent(body) { (event: SingleEvent<Output, Failure>, emitter: Publishers.Create.Emitter) in
        switch event {
        case .success(let value):
          emitter.send(value)
          emitter.send(completion: .finished)
        case .failure(let error):
          emitter.send(completion: .failure(error))
        }
      })
  }

  /// Makes a single of a value.
  ///
  ///     Single<Int, Never>.just(1)  (1|)
  public static func just(_ value: Output) -> Single {
    Single(trusting: Result<Output, Failure>.success(value).publisher)
  }

  /// Makes a single that fails.
  ///
  ///     Single<Int, Oops>.failure(Oops())  #
  public static func failure(_ error: Failure) -> Single {
    Single(trusting: Fail(error: error))
  }

  /// Attaches a downstream.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    source._attach(downstream)
  }

  /// Is itself.
  public func asSingle() -> Single { self }

  /// Forgets that there has to be a value.
  ///
  ///     single      --(1|)
  ///     .asMaybe()  --(1|)
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: source)
  }

  /// Forgets the promise.
  ///
  ///     single          --(1|)
  ///     .asPublisher()  --(1|)
  public func asPublisher() -> AnyPublisher<Output, Failure> { source }
}

extension Publisher {
  /// Promises that this publisher sends exactly one value.
  ///
  ///     source                 -1-(2!)
  ///     .prefix(2).asSingle()  ---#
  ///
  /// - Demand: this publisher is asked for everything; the value waits for the first request.
  /// - Completion and cancellation: the value goes out when this publisher has finished. Fails with ``TraitError`` if it
  ///   finishes without a value, and as soon as it sends a second one; then it is cancelled.
  /// - Threading: runs where this publisher delivers.
  public func asSingle() -> Single<Output, any Error> {
    Single(
      trusting: OnlyValue<Self, any Error>(
        of: self, named: "AsSingle", failure: { $0 }, missing: { TraitError.noElements },
        second: { TraitError.moreThanOneElement }))
  }

  /// Promises that this publisher sends exactly one value, and makes a failure of its own kind if it doesn't.
  ///
  /// - Demand: this publisher is asked for everything; the value waits for the first request.
  /// - Completion and cancellation: the value goes out when this publisher has finished. Fails with what the closure makes
  ///   if it finishes without a value, and as soon as it sends a second one; then it is cancelled.
  /// - Threading: runs where this publisher delivers.
  public func asSingle(orFailWith breach: @escaping (TraitError) -> Failure) -> Single<Output, Failure> {
    Single(
      trusting: OnlyValue(
        of: self, named: "AsSingle", failure: { $0 }, missing: { breach(.noElements) },
        second: { breach(.moreThanOneElement) }))
  }
}

extension Future {
  /// Says in its type that it publishes one value or a failure.
  ///
  ///     promise            ---7
  ///     future.asSingle()  ---(7|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  public func asSingle() -> Single<Output, Failure> {
    Single(trusting: self)
  }
}

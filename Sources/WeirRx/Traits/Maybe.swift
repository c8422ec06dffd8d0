public import Weir

/// What a maybe tells: its value, that there is none, or a failure.
public enum MaybeEvent<Output, Failure: Error> {
  /// There is a value.
  case success(Output)

  /// There is none.
  case completed

  /// It has failed.
  case failure(Failure)
}

extension MaybeEvent: Equatable where Output: Equatable, Failure: Equatable {}
extension MaybeEvent: Hashable where Output: Hashable, Failure: Hashable {}
extension MaybeEvent: Sendable where Output: Sendable {}

/// A publisher of one value at the most, or of a failure.
///
///     source            ----|
///     source.asMaybe()  ----|
///
/// - Demand: a value waits for the first request.
/// - Completion and cancellation: finishes after the value, or without one.
/// - Threading: that of what it was made of.
public struct Maybe<Output, Failure: Error>: _DirectPublisher {
  let source: AnyPublisher<Output, Failure>

  @usableFromInline
  package let place = Place()

  /// For a source that is known to keep the promise.
  init(trusting source: some Publisher<Output, Failure>) {
    self.source = source.eraseToAnyPublisher()
  }

  /// Makes a maybe of a closure that tells its value, that there is none, or a failure, once.
  ///
  ///     tell                              ---|
  ///     Maybe<Int, Never>.create(listen)  ---|
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request.
  /// - Completion and cancellation: the first event counts. What the closure returns is cancelled once, after the event
  ///   or at a cancel.
  /// - Threading: the event may be told on any thread, and is delivered there.
  public static func create(
    _ body: @escaping (@escaping (MaybeEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Maybe {
    Maybe(
      trusting: oneEvent(body) { (event: MaybeEvent<Output, Failure>, emitter: Publishers.Create.Emitter) in
        switch event {
        case .success(let value):
          emitter.send(value)
          emitter.send(completion: .finished)
        case .completed:
          emitter.send(completion: .finished)
        case .failure(let error):
          emitter.send(completion: .failure(error))
        }
      })
  }

  /// Makes a maybe of a value.
  ///
  ///     Maybe<Int, Never>.just(1)  (1|)
  public static func just(_ value: Output) -> Maybe {
    Single.just(value).asMaybe()
  }

  /// Makes a maybe without a value.
  ///
  ///     Maybe<Int, Never>.empty()  |
  public static func empty() -> Maybe {
    Maybe(trusting: Empty())
  }

  /// Makes a maybe that fails.
  ///
  ///     Maybe<Int, Oops>.failure(Oops())  #
  public static func failure(_ error: Failure) -> Maybe {
    Maybe(trusting: Fail(error: error))
  }

  /// Attaches a downstream.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    source._attach(downstream)
  }

  /// Is itself.
  public func asMaybe() -> Maybe { self }

  /// Forgets the promise.
  public func asPublisher() -> AnyPublisher<Output, Failure> { source }
}

extension Publisher {
  /// Promises that this publisher sends one value at the most.
  ///
  ///     source      -1---|
  ///     .asMaybe()  -----(1|)
  ///
  /// - Demand: this publisher is asked for everything; the value waits for the first request.
  /// - Completion and cancellation: the value goes out when this publisher has finished. Fails with ``TraitError`` as soon
  ///   as it sends a second one; then it is cancelled.
  /// - Threading: runs where this publisher delivers.
  public func asMaybe() -> Maybe<Output, any Error> {
    Maybe(
      trusting: OnlyValue<Self, any Error>(
        of: self, named: "AsMaybe", failure: { $0 }, missing: nil,
        second: { TraitError.moreThanOneElement }))
  }

  /// Promises that this publisher sends one value at the most, and makes a failure of its own kind if it doesn't.
  ///
  /// - Demand: this publisher is asked for everything; the value waits for the first request.
  /// - Completion and cancellation: the value goes out when this publisher has finished. Fails with what the closure makes
  ///   as soon as it sends a second one; then it is cancelled.
  /// - Threading: runs where this publisher delivers.
  public func asMaybe(orFailWith breach: @escaping (TraitError) -> Failure) -> Maybe<Output, Failure> {
    Maybe(
      trusting: OnlyValue(
        of: self, named: "AsMaybe", failure: { $0 }, missing: nil,
        second: { breach(.moreThanOneElement) }))
  }
}

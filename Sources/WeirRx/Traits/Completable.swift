public import Weir

/// What a completable tells: that it is done, or a failure.
public enum CompletableEvent<Failure: Error> {
  /// It is done.
  case completed

  /// It has failed.
  case failure(Failure)
}

extension CompletableEvent: Equatable where Failure: Equatable {}
extension CompletableEvent: Hashable where Failure: Hashable {}
extension CompletableEvent: Sendable {}

/// A publisher of no value: of the end, or of a failure.
///
///     source                  -1-2-#
///     source.asCompletable()  -----#
///
/// - Demand: none is needed.
/// - Completion and cancellation: the end is all that there is.
/// - Threading: that of what it was made of.
public struct Completable<Failure: Error>: _DirectPublisher {
  /// There are no values.
  public typealias Output = Never

  let source: AnyPublisher<Never, Failure>

  @usableFromInline
  package let place = Place()

  init(_ source: some Publisher<Never, Failure>) {
    self.source = source.eraseToAnyPublisher()
  }

  /// Makes a completable of a closure that tells its end or failure, once.
  ///
  ///     tell                               ---|
  ///     Completable<Never>.create(listen)  ---|
  ///
  /// - Demand: the closure runs once for each subscriber, at its subscription: there is nothing that it could ask for.
  /// - Completion and cancellation: the first event counts. What the closure returns is cancelled once, after the event
  ///   or at a cancel.
  /// - Threading: the event may be told on any thread, and is delivered there.
  public static func create(
    _ body: @escaping (@escaping (CompletableEvent<Failure>) -> Void) -> any Cancellable
  ) -> Completable {
    Completable(
      oneEvent(asking: .everything, body) { (event: CompletableEvent<Failure>, emitter: Publishers.Create.Emitter) in
        switch event {
        case .completed: emitter.send(completion: .finished)
        case .failure(let error): emitter.send(completion: .failure(error))
        }
      })
  }

  /// Makes a completable that is done.
  ///
  ///     Completable<Never>.empty()  |
  public static func empty() -> Completable {
    Completable(Empty())
  }

  /// Makes a completable that fails.
  ///
  ///     Completable<Oops>.failure(Oops())  #
  public static func failure(_ error: Failure) -> Completable {
    Completable(Fail(error: error))
  }

  /// Attaches a downstream.
  public func _attach(_ downstream: Downstream<Never, Failure>) {
    source._attach(downstream)
  }

  /// Is itself.
  public func asCompletable() -> Completable { self }

  /// A maybe that has no value.
  ///
  ///     completable             ---|
  ///     .asMaybe(of: Int.self)  ---|
  public func asMaybe<Value>(of type: Value.Type = Value.self) -> Maybe<Value, Failure> {
    Maybe(trusting: source.map { (never: Never) -> Value in })
  }

  /// Forgets the promise.
  public func asPublisher() -> AnyPublisher<Never, Failure> { source }
}

extension Publisher {
  /// Leaves out the values of this publisher, and keeps its end.
  ///
  ///     source            -1-2-|
  ///     asked             ∞
  ///     .asCompletable()  -----|
  ///
  /// - Demand: this publisher is asked for everything, at the subscription.
  /// - Completion and cancellation: pass through.
  /// - Threading: runs where this publisher delivers.
  public func asCompletable() -> Completable<Failure> {
    Completable(ignoreOutput())
  }
}

public import Weir

/// An event of a completable: a finish or a failure.
public enum CompletableEvent<Failure: Error> {
  /// The completable finished.
  case completed

  /// The completable failed.
  case failure(Failure)
}

extension CompletableEvent: Equatable where Failure: Equatable {}
extension CompletableEvent: Hashable where Failure: Hashable {}
extension CompletableEvent: Sendable {}

/// A publisher without values, which finishes or fails.
///
///     source                  -1-2-#
///     source.asCompletable()  -----#
///
/// - Demand: none is needed.
/// - Completion and cancellation: the completion is the only event.
/// - Threading: that of its source.
public struct Completable<Failure: Error>: _DirectPublisher {
  /// There are no values.
  public typealias Output = Never

  @usableFromInline
  let source: AnyPublisher<Never, Failure>

  @usableFromInline
  package let assemblySite = AssemblySite()

  @inlinable
  init(_ source: some Publisher<Never, Failure>) {
    self.source = source.eraseToAnyPublisher()
  }

  /// Creates a completable from a closure that reports a finish or a failure, once.
  ///
  ///     tell                               ---|
  ///     Completable<Never>.create(listen)  ---|
  ///
  /// - Demand: the closure runs once for each subscriber, at its subscription, because no values can be requested.
  /// - Completion and cancellation: only the first event counts. The closure's result is cancelled once, after the
  ///   event or at a cancellation.
  /// - Threading: the closure may report the event on any thread, where it is delivered.
  @inlinable
  public static func create(
    _ body: @escaping (@escaping @Sendable (CompletableEvent<Failure>) -> Void) -> any Cancellable
  ) -> Completable {
    Completable(
      oneEvent(asking: .everything, reportingElsewhere(body)) { (event: CompletableEvent<Failure>) in
        switch event {
        case .completed: (nil, .finished)
        case .failure(let error): (nil, .failure(error))
        }
      })
  }

  /// Creates a completable that finishes immediately.
  ///
  ///     Completable<Never>.empty()  |
  @inlinable
  public static func empty() -> Completable {
    Completable(Empty())
  }

  /// Creates a completable that fails.
  ///
  ///     Completable<Oops>.failure(Oops())  #
  @inlinable
  public static func failure(_ error: Failure) -> Completable {
    Completable(Fail(error: error))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Never, Failure>) {
    source._attach(downstream)
  }

  /// Returns this publisher.
  @inlinable
  public func asCompletable() -> Completable { self }

  /// Converts this completable to a maybe without a value.
  ///
  ///     completable             ---|
  ///     .asMaybe(of: Int.self)  ---|
  @inlinable
  public func asMaybe<Value>(of type: Value.Type = Value.self) -> Maybe<Value, Failure> {
    Maybe(trusting: source.map { (never: Never) -> Value in })
  }

  /// Erases the trait.
  @inlinable
  public func asPublisher() -> AnyPublisher<Never, Failure> { source }
}

extension Publisher {
  /// Drops the values of this publisher, and forwards its completion.
  ///
  ///     source            -1-2-|
  ///     asked             ∞
  ///     .asCompletable()  -----|
  ///
  /// - Demand: requests unlimited demand from this publisher, at the subscription.
  /// - Completion and cancellation: forwarded.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func asCompletable() -> Completable<Failure> {
    Completable(ignoreOutput())
  }
}

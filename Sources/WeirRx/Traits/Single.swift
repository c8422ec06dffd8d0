public import Weir

/// An event of a single: its value or a failure.
public typealias SingleEvent<Output, Failure: Error> = Result<Output, Failure>

/// A publisher of exactly one value, or of a failure.
///
///     source       ---1-|
///     .asSingle()  -----(1|)
///
/// - Demand: the value is buffered until the first request.
/// - Completion and cancellation: finishes after the value.
/// - Threading: that of its source.
public struct Single<Output, Failure: Error>: _DirectPublisher {
  @usableFromInline
  let source: AnyPublisher<Output, Failure>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// The value of a scalar source.
  @inlinable
  public var _scalarValue: Output? { source._scalarValue }

  /// Whether the source can be scalar.
  @inlinable
  public var _mayBeScalar: Bool { source._mayBeScalar }

  /// Creates the trait from a source that is known to conform to it.
  @inlinable
  init(trusting source: some Publisher<Output, Failure>) {
    self.source = source.eraseToAnyPublisher()
  }

  /// Creates a single from a closure that reports a value or a failure, once.
  ///
  ///     tell                               ---7
  ///     Single<Int, Never>.create(listen)  ---(7|)
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request.
  /// - Completion and cancellation: only the first event counts. The closure's result is cancelled once, after the
  ///   event or at a cancellation.
  /// - Threading: the closure may report the event on any thread, where it is delivered. In Swift 6 mode, another thread
  ///   can report a value only if that is `Sendable`.
  @inlinable
  public static func create(
    _ body: @escaping (@escaping (SingleEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Single {
    create(reporting: body)
  }

  @inlinable
  static func create(
    reporting body: @escaping (@escaping (SingleEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Single {
    Single(
      trusting: oneEvent(body) { (event: SingleEvent<Output, Failure>) in
        switch event {
        case .success(let value): (value, .finished)
        case .failure(let error): (nil, .failure(error))
        }
      })
  }

  /// Creates a single from a value.
  ///
  ///     Single<Int, Never>.just(1)  (1|)
  @inlinable
  public static func just(_ value: Output) -> Single {
    Single(trusting: Result<Output, Failure>.success(value).publisher)
  }

  /// Creates a single that fails.
  ///
  ///     Single<Int, Oops>.failure(Oops())  #
  @inlinable
  public static func failure(_ error: Failure) -> Single {
    Single(trusting: Fail(error: error))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    source._attach(downstream)
  }

  /// Returns this publisher.
  @inlinable
  public func asSingle() -> Single { self }

  /// Converts this single to a maybe.
  ///
  ///     single      --(1|)
  ///     .asMaybe()  --(1|)
  @inlinable
  public func asMaybe() -> Maybe<Output, Failure> {
    Maybe(trusting: source)
  }

  /// Maps the value to a maybe, and forwards its events.
  ///
  ///     single                        --(1|)
  ///     other                         --^   --|
  ///     .flatMapMaybe { _ in other }  ---   --|
  ///
  /// - Demand: requests this single's value at the subscription.
  /// - Completion and cancellation: cancellation reaches the one that is in flight.
  /// - Threading: the closure runs where this single delivers.
  @inlinable
  public func flatMapMaybe<Result>(
    _ transform: @escaping (Output) -> Maybe<Result, Failure>
  ) -> Maybe<Result, Failure> {
    Maybe<Result, Failure>(trusting: source.flatMap { transform($0).source })
  }

  /// Erases the trait.
  ///
  ///     single          --(1|)
  ///     .asPublisher()  --(1|)
  @inlinable
  public func asPublisher() -> AnyPublisher<Output, Failure> { source }
}

extension Single where Output: Sendable {
  /// Creates a single from a closure that reports its event, once, on any thread.
  ///
  /// - Demand, completion and cancellation, threading: as for values that aren't `Sendable`.
  @_documentation(visibility: internal)
  @inlinable
  public static func create(
    _ body: @escaping (@escaping @Sendable (SingleEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Single {
    create(reporting: reportingElsewhere(body))
  }
}

extension Publisher {
  /// Asserts that this publisher sends exactly one value.
  ///
  ///     source                 -1-(2!)
  ///     .prefix(2).asSingle()  ---#
  ///
  /// - Demand: requests unlimited demand from this publisher; the value is buffered until the first request.
  /// - Completion and cancellation: the value is delivered when this publisher has finished. Fails with ``TraitError``
  ///   if it finishes without a value, and as soon as it sends a second one. This publisher is then cancelled.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func asSingle() -> Single<Output, any Error> {
    Single(
      trusting: OnlyValue<Self, any Error>(
        of: self, named: "AsSingle", failure: { $0 }, missing: { TraitError.noElements },
        second: { TraitError.moreThanOneElement }))
  }

  /// Asserts that this publisher sends exactly one value; otherwise fails with a closure's error.
  ///
  /// - Demand: requests unlimited demand from this publisher; the value is buffered until the first request.
  /// - Completion and cancellation: the value is delivered when this publisher has finished. Fails with the closure's
  ///   error if it finishes without a value, and as soon as it sends a second one. This publisher is then cancelled.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func asSingle(orFailWith violation: @escaping (TraitError) -> Failure) -> Single<Output, Failure> {
    Single(
      trusting: OnlyValue(
        of: self, named: "AsSingle", failure: { $0 }, missing: { violation(.noElements) },
        second: { violation(.moreThanOneElement) }))
  }
}

extension Future {
  /// Converts this publisher to a single: its value or its failure.
  ///
  ///     promise            ---7
  ///     future.asSingle()  ---(7|)
  ///
  /// - Demand, completion and cancellation, threading: unchanged.
  @inlinable
  public func asSingle() -> Single<Output, Failure> {
    Single(trusting: self)
  }
}

public import Weir

/// An event of a maybe: its value, a finish without a value, or a failure.
public enum MaybeEvent<Output, Failure: Error> {
  /// The maybe has a value.
  case success(Output)

  /// The maybe finished without a value.
  case completed

  /// The maybe failed.
  case failure(Failure)
}

extension MaybeEvent: Equatable where Output: Equatable, Failure: Equatable {}
extension MaybeEvent: Hashable where Output: Hashable, Failure: Hashable {}
extension MaybeEvent: Sendable where Output: Sendable {}

/// A publisher of at most one value, or of a failure.
///
///     source            ----|
///     source.asMaybe()  ----|
///
/// - Demand: the value is buffered until the first request.
/// - Completion and cancellation: finishes after the value, or without one.
/// - Threading: that of its source.
public struct Maybe<Output, Failure: Error>: _DirectPublisher {
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

  /// Creates a maybe from a closure that reports a value, a finish or a failure, once.
  ///
  ///     tell                              ---|
  ///     Maybe<Int, Never>.create(listen)  ---|
  ///
  /// - Demand: the closure runs once for each subscriber, at its first request.
  /// - Completion and cancellation: only the first event counts. The closure's result is cancelled once, after the
  ///   event or at a cancellation.
  /// - Threading: the closure may report the event on any thread, where it is delivered. In Swift 6 mode, another thread
  ///   can report a value only if that is `Sendable`.
  @inlinable
  public static func create(
    _ body: @escaping (@escaping (MaybeEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Maybe {
    create(reporting: body)
  }

  @inlinable
  static func create(
    reporting body: @escaping (@escaping (MaybeEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Maybe {
    Maybe(
      trusting: oneEvent(body) { (event: MaybeEvent<Output, Failure>) in
        switch event {
        case .success(let value): (value, .finished)
        case .completed: (nil, .finished)
        case .failure(let error): (nil, .failure(error))
        }
      })
  }

  /// Creates a maybe from a value.
  ///
  ///     Maybe<Int, Never>.just(1)  (1|)
  @inlinable
  public static func just(_ value: Output) -> Maybe {
    Single.just(value).asMaybe()
  }

  /// Creates a maybe without a value.
  ///
  ///     Maybe<Int, Never>.empty()  |
  @inlinable
  public static func empty() -> Maybe {
    Maybe(trusting: Empty())
  }

  /// Creates a maybe that fails.
  ///
  ///     Maybe<Int, Oops>.failure(Oops())  #
  @inlinable
  public static func failure(_ error: Failure) -> Maybe {
    Maybe(trusting: Fail(error: error))
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    source._attach(downstream)
  }

  /// Returns this publisher.
  @inlinable
  public func asMaybe() -> Maybe { self }

  /// Erases the trait.
  @inlinable
  public func asPublisher() -> AnyPublisher<Output, Failure> { source }
}

extension Maybe where Output: Sendable {
  /// Creates a maybe from a closure that reports its event, once, on any thread.
  ///
  /// - Demand, completion and cancellation, threading: as for values that aren't `Sendable`.
  @_documentation(visibility: internal)
  @inlinable
  public static func create(
    _ body: @escaping (@escaping @Sendable (MaybeEvent<Output, Failure>) -> Void) -> any Cancellable
  ) -> Maybe {
    create(reporting: reportingElsewhere(body))
  }
}

extension Publisher {
  /// Asserts that this publisher sends at most one value.
  ///
  ///     source      -1---|
  ///     .asMaybe()  -----(1|)
  ///
  /// - Demand: requests unlimited demand from this publisher; the value is buffered until the first request.
  /// - Completion and cancellation: the value is delivered when this publisher has finished. Fails with ``TraitError``
  ///   as soon as it sends a second one. This publisher is then cancelled.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func asMaybe() -> Maybe<Output, any Error> {
    Maybe(
      trusting: OnlyValue<Self, any Error>(
        of: self, named: "AsMaybe", failure: { $0 }, missing: nil,
        second: { TraitError.moreThanOneElement }))
  }

  /// Asserts that this publisher sends at most one value; otherwise fails with a closure's error.
  ///
  /// - Demand: requests unlimited demand from this publisher; the value is buffered until the first request.
  /// - Completion and cancellation: the value is delivered when this publisher has finished. Fails with the closure's
  ///   error as soon as it sends a second one. This publisher is then cancelled.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func asMaybe(orFailWith violation: @escaping (TraitError) -> Failure) -> Maybe<Output, Failure> {
    Maybe(
      trusting: OnlyValue(
        of: self, named: "AsMaybe", failure: { $0 }, missing: nil,
        second: { violation(.moreThanOneElement) }))
  }
}

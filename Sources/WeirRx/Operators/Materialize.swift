public import Weir

extension Publishers {
  /// An event of a publisher: a value or a completion.
  public enum Event<Output, Failure: Error> {
    /// The publisher sent a value.
    case value(Output)

    /// The publisher failed.
    case failure(Failure)

    /// The publisher finished.
    case finished
  }
}

extension Publishers.Event: Equatable where Output: Equatable, Failure: Equatable {}

extension Publishers.Event: Hashable where Output: Hashable, Failure: Hashable {}

extension Publishers.Event: Sendable where Output: Sendable {}

extension Publisher {
  /// Sends all events of this publisher as values, including its completion.
  ///
  ///     source          -1         -2         -#
  ///     .materialize()  -'value(1)'-'value(2)'-('failure(oops)'|)
  ///
  /// - Demand: unchanged. The completion is a value too, which is buffered until there is demand.
  /// - Completion and cancellation: finishes after any completion of this publisher.
  /// - Threading: delivers where this publisher does. A buffered completion is delivered where it is requested.
  @inlinable
  @_disfavoredOverload
  public func materialize() -> Publishers.Materialize<Self> {
    Publishers.Materialize(upstream: self)
  }

  /// Replays the events that this publisher sends as values; the inverse of ``materialize()``.
  ///
  ///     source            -'value(1)'-'value(2)'-('failure(oops)'!)
  ///     .dematerialize()  -1         -2         -#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: completes with the first completion among the values, and cancels this publisher.
  ///   Without one, it finishes when this publisher finishes.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func dematerialize<T, E: Error>() -> Publishers.Dematerialize<Self, T, E>
  where Output == Publishers.Event<T, E>, Failure == Never {
    Publishers.Dematerialize(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's events as values.
  public struct Materialize<Upstream: Publisher>: _DirectPublisher {
    /// An event of the upstream.
    public typealias Output = Publishers.Event<Upstream.Output, Upstream.Failure>

    /// It can't fail.
    public typealias Failure = Never

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: MaterializeOperator<Upstream.Output, Upstream.Failure>())
    }
  }

  /// A publisher that replays the events that its upstream sends as values.
  public struct Dematerialize<Upstream: Publisher, Output, Failure: Error>: _DirectPublisher
  where Upstream.Output == Publishers.Event<Output, Failure>, Upstream.Failure == Never {
    /// The publisher of events.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DematerializeOperator<Output, Failure>())
    }
  }
}

extension Publishers.Materialize: Equatable where Upstream: Equatable {}

extension Publishers.Dematerialize: Equatable where Upstream: Equatable {}

@usableFromInline
struct MaterializeOperator<Input, UpstreamFailure: Error>: StatefulOperator {
  @usableFromInline
  typealias Output = Publishers.Event<Input, UpstreamFailure>

  @usableFromInline
  typealias Failure = Never

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Materialize" }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Output, Never> {
    .emit(.value(input))
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Output, Never> {
    switch completion {
    case .finished: .emit(.finished)
    case .failure(let error): .emit(.failure(error))
    }
  }
}

@usableFromInline
struct DematerializeOperator<Output, Failure: Error>: StatefulOperator {
  @usableFromInline
  typealias Input = Publishers.Event<Output, Failure>

  @usableFromInline
  typealias UpstreamFailure = Never

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Dematerialize" }

  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Output, Failure> {
    switch input {
    case .value(let output): .emit(output)
    case .failure(let error): .fail(error)
    case .finished: .finish
    }
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Never>) -> OperatorCompletion<Output, Failure> {
    .complete(.finished)
  }
}

extension Publishers.Materialize: Sendable where Upstream: Sendable {}

extension Publishers.Dematerialize: Sendable where Upstream: Sendable {}

public import Weir

/// Whether the value that completes a publisher is sent.
public enum TakeUntilBehavior: Hashable, Sendable {
  /// The value is sent before the completion.
  case inclusive

  /// The value is not sent.
  case exclusive
}

extension Publisher {
  /// Forwards values until another publisher sends one: RxSwift's name for `prefix(untilOutputFrom:)`.
  ///
  ///     source               -1-2!
  ///     other                ----(a!)
  ///     .take(until: other)  -1-2|
  @inlinable
  public func take<P: Publisher>(until other: P) -> Publishers.PrefixUntilOutput<Self, P> {
    prefix(untilOutputFrom: other)
  }

  /// Forwards values up to the first for which a predicate holds.
  ///
  ///     source                                           -1-(2!)
  ///     .take(until: { $0 == 2 }, behavior: .inclusive)  -1-(2|)
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: finishes at that value and cancels this publisher.
  /// - Threading: the predicate runs where this publisher delivers.
  @inlinable
  public func take(
    until predicate: @escaping (Output) -> Bool, behavior: TakeUntilBehavior = .exclusive
  ) -> Publishers.TakeUntil<Self> {
    Publishers.TakeUntil(upstream: self, behavior: behavior, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the upstream's values up to the first for which a predicate holds.
  public struct TakeUntil<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Whether the value that completes the publisher is sent.
    public let behavior: TakeUntilBehavior

    /// Returns `true` for the value that completes the publisher.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method `take` is the usual way to create it.
    @inlinable
    public init(
      upstream: Upstream, behavior: TakeUntilBehavior, predicate: @escaping (Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.behavior = behavior
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: TakeUntilOperator<Output, Failure>(includesLast: behavior == .inclusive, predicate))
    }
  }
}

@usableFromInline
struct TakeUntilOperator<Input, Failure: Error>: InfallibleOperator {
  @usableFromInline
  let includesLast: Bool

  @usableFromInline
  let predicate: (Input) -> Bool

  @inlinable
  init(includesLast: Bool, _ predicate: @escaping (Input) -> Bool) {
    self.includesLast = includesLast
    self.predicate = predicate
  }

  @usableFromInline
  static var name: StaticString { "TakeUntil" }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    guard predicate(input) else { return .emit(input) }
    return includesLast ? .emitAndFinish(input) : .finish
  }
}

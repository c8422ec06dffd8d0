public import Synchronization
public import Weir

extension Publisher {
  /// Maps a value to a publisher and forwards its values.
  ///
  /// Values that arrive meanwhile are ignored.
  ///
  ///     source                             -1--2-----2-|
  ///     a                                  -^x-x--x|
  ///     b                                  ----------^y-y|
  ///     .flatMapFirst { $0 == 1 ? a : b }  --x-x--x---y-y|
  ///
  /// - Demand: requests unlimited demand from this publisher. A value is dropped while the inner publisher of an
  ///   earlier value is active, or while a value of it waits for demand. Unlimited demand is forwarded to the inner
  ///   publisher. With finite demand, one value ahead is requested from the inner publisher.
  /// - Completion and cancellation: finishes when this publisher and the active inner publisher have finished. The
  ///   first failure of either terminates the operator.
  /// - Threading: the closure runs where this publisher delivers, but not for ignored values. Delivery is serialized.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMapFirst<P, Self>
  where P.Failure == Failure {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Maps a value to a publisher that can fail; see `flatMapFirst` with equal failure types.
  @inlinable
  public func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapFirst<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMapFirst(upstream: setFailureType(to: P.Failure.self), transform: transform)
  }

  /// Maps a value to a publisher that can't fail; see `flatMapFirst` with equal failure types.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMapFirst<P, Self>
  where P.Failure == Never {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}

extension Publisher {
  /// Maps a value to a publisher that can't fail; see `flatMapFirst` with equal failure types.
  @inlinable
  public func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapFirst<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMapFirst(upstream: self) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that maps a value to an inner publisher unless an earlier one is still active.
  public struct FlatMapFirst<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the inner publishers.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that maps a value to a publisher.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> NewPublisher) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let work = OpenWork()
      upstream
        .filter { _ in work.begin() }
        .flatMap { [transform] in
          transform($0).handleEvents(receiveOutput: { _ in work.add() }, receiveCompletion: { _ in work.remove() })
        }
        .map {
          work.remove()
          return $0
        }
        .attach(downstream)
    }
  }
}

/// Counts an active inner publisher, and those of its values that have not been delivered.
///
/// The events that it counts can occur on several threads concurrently.
@usableFromInline
final class OpenWork: Sendable {
  @usableFromInline
  let count = Atomic<Int>(0)

  @inlinable
  init() {}

  /// Counts a new inner publisher; returns `false` if anything is counted already.
  @inlinable
  func begin() -> Bool {
    count.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
  }

  @inlinable
  func add() {
    count.wrappingAdd(1, ordering: .relaxed)
  }

  @inlinable
  func remove() {
    count.wrappingSubtract(1, ordering: .releasing)
  }
}

public import Synchronization
public import Weir

extension Publisher {
  /// Turns a value into a publisher and sends on what that sends; values that come meanwhile are ignored.
  ///
  ///     source                             -1--2-----2-|
  ///     a                                  -^x-x--x|
  ///     b                                  ----------^y-y|
  ///     .flatMapFirst { $0 == 1 ? a : b }  --x-x--x---y-y|
  ///
  /// - Demand: this publisher is asked for everything, and a value is dropped while the publisher of an earlier one runs.
  ///   Unlimited demand goes to that; with a finite demand it is asked for one value ahead.
  /// - Completion and cancellation: finishes when this publisher and the one that runs have. The first failure, of either,
  ///   ends the whole.
  /// - Threading: the closure runs where this publisher delivers, and not for what is ignored; values of several threads
  ///   are delivered one at a time.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMapFirst<P, Self>
  where P.Failure == Failure {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns a value into a publisher that can fail, and sends on what that sends; see
  /// `flatMapFirst` where both fail alike.
  @inlinable
  public func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapFirst<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMapFirst(upstream: setFailureType(to: P.Failure.self), transform: transform)
  }

  /// Turns a value into a publisher that can't fail, and sends on what that sends; see
  /// `flatMapFirst` where both fail alike.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMapFirst<P, Self>
  where P.Failure == Never {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}

extension Publisher {
  /// Turns a value into a publisher that can't fail, and sends on what that sends; see
  /// `flatMapFirst` where both fail alike.
  @inlinable
  public func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapFirst<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMapFirst(upstream: self) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher of what the publishers send that a closure makes of the upstream's values, while none of them runs.
  public struct FlatMapFirst<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the publishers that the closure makes.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values become publishers.
    public let upstream: Upstream

    /// What makes a publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> NewPublisher) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let running = RunningFlag()
      upstream
        .filter { _ in running.raise() }
        .flatMap { [transform] in transform($0).handleEvents(receiveCompletion: { _ in running.lower() }) }
        .attach(downstream)
    }
  }
}

/// Whether the publisher of a value runs; one thread may see its end while another brings the next value.
@usableFromInline
final class RunningFlag: Sendable {
  @usableFromInline
  let isUp = Atomic<Bool>(false)

  @inlinable
  init() {}

  /// Raises the flag; false if it is up already.
  @inlinable
  func raise() -> Bool {
    !isUp.exchange(true, ordering: .acquiringAndReleasing)
  }

  @inlinable
  func lower() {
    isUp.store(false, ordering: .releasing)
  }
}

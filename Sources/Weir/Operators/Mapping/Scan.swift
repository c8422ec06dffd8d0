// .ci/twins writes TryScan.swift from this file.

extension Publisher {
  /// Combines each value with the previous result, and sends every result.
  ///
  ///     source       -1-2-3-|
  ///     .scan(0, +)  -1-3-6-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged. The initial result is not sent.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of the results of combining each value with the previous result.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: _DirectPublisher {
    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The result to combine with the first value.
    public let initialResult: Output

    /// The closure that combines a result with a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(.scanning(nextPartialResult, from: initialResult, to: downstream))
    }
  }
}

extension Downstream {
  @inlinable
  @inline(never)
  static func scanning<Output>(
    _ combine: @escaping (Output, Input) -> Output, from initial: Output,
    to downstream: consuming Downstream<Output, Failure>
  ) -> Downstream {
    let subscriber = ScanSubscriber(initial, combine, downstream)
    return Downstream(
      face: Face(
        { subscriber },
        type: subscriber.downstream.functions.face.type(inFrontOf: ScanSubscriber<Input, Output, Failure>.self)),
      begin: subscriber.downstream.functions.begin,
      end: { subscriber.receive(completion: $0) }, next: { subscriber.receive($0) })
  }
}

/// The subscriber of `scan`, which stores only the latest result.
///
/// The downstream receives the upstream's own subscription, as in Combine.
@usableFromInline
final class ScanSubscriber<Input, Output, Failure: Error>: Reentrant, CustomCombineIdentifierConvertible,
  OperatorReflectable
{
  // Safety: only a step accesses it, under the invariant of `Reentrant`. (`ReentrancyTests`, `Reentry/scan`,
  // `Threads/careless`)
  @usableFromInline
  @exclusivity(unchecked)
  var result: Output

  @usableFromInline
  let combine: (Output, Input) -> Output

  @usableFromInline
  let downstream: BorrowedDownstream<Output, Failure>

  @inlinable
  init(
    _ initial: Output, _ combine: @escaping (Output, Input) -> Output,
    _ downstream: consuming Downstream<Output, Failure>
  ) {
    result = initial
    self.combine = combine
    self.downstream = BorrowedDownstream(downstream)
    super.init()
  }

  @usableFromInline
  var description: String { "Scan" }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { [("downstream", downstream.shown), ("result", Output.self)] }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard beginStep() else { return postpone(input) }
    let next = step(input)
    endStep()
    let more = downstream.functions.next(next)
    return isPending ? drain(answering: more) : more
  }

  @inlinable
  @inline(never)
  func postpone(_ input: Input) -> Subscribers.Demand {
    enqueue { [self] in downstream.functions.next(step(input)) }
    return .none
  }

  @inlinable
  @inline(__always)
  func step(_ input: Input) -> Output {
    let next = combine(result, input)
    result = next
    return next
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if isPending {
      enqueueAction { [self] in downstream.functions.end(completion) }
    } else {
      downstream.functions.end(completion)
    }
  }
}

@usableFromInline
struct TryScanOperator<Input, Output, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  var accumulated: Output

  @usableFromInline
  let combine: (Output, Input) throws -> Output

  @inlinable
  init(_ initial: Output, _ combine: @escaping (Output, Input) throws -> Output) {
    accumulated = initial
    self.combine = combine
  }

  @usableFromInline
  static var name: StaticString { "TryScan" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(values: true) }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .status, .state("result", Output.self)] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, any Error> {
    accumulated = try combine(accumulated, input)
    return .emit(accumulated)
  }
}

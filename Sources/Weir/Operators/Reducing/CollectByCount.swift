extension Publisher {
  /// Gathers values into arrays of `count` values each.
  ///
  ///     source       -1-2       -3-4
  ///     asked        4
  ///     demand       2
  ///     .collect(2)  ---'[1, 2]'---'[3, 4]'
  ///
  /// - Demand: requests `count` values for each requested array.
  /// - Completion and cancellation: a normal completion is preceded by the values gathered so far, as a shorter array.
  ///   A failure drops them.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  ///
  /// - Precondition: `count` is positive.
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher of arrays with a fixed number of values each.
  @frozen
  public struct CollectByCount<Upstream: Publisher>: _DirectPublisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The number of values in an array; only the last array can be shorter.
    public let count: Int

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `collect` returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: CollectByCountOperator(count))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

@usableFromInline
struct CollectByCountOperator<Input, Failure: Error>: InfallibleOperator {
  @usableFromInline
  let count: Int

  @usableFromInline
  var values: [Input] = []

  @inlinable
  init(_ count: Int) {
    if count <= 0 { fatalError("collect(_:) requires a count of at least 1, not \(count).") }
    self.count = count
  }

  @usableFromInline
  static var name: StaticString { "CollectByCount" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(completion: true) }

  @inlinable
  static var runsUserCode: Bool { false }

  @usableFromInline
  static var mirrored: [MirrorPart] {
    [.downstream, .upstreamSubscription, .growing("buffer", from: [Input]()), .count]
  }

  @inlinable
  var policy: OperatorSubscription.Policy { .forwardTimes(count) }

  @inlinable
  var demandForSkipped: Subscribers.Demand { .none }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<[Input], Failure> {
    values.append(input)
    if values.count < count { return .skip }
    let group = values
    // Performance: the next array probably has `count` values too, so reserving its capacity saves reallocations.
    values = []
    values.reserveCapacity(count)
    return .emit(group)
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> OperatorCompletion<[Input], Failure> {
    guard case .finished = completion, !values.isEmpty else { return .complete(completion) }
    return .emit(values)
  }
}

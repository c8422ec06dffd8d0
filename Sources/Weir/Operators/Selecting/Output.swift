extension Publisher {
  /// Sends the first values, at most `maxLength` of them.
  ///
  ///     source      -1-(2!)
  ///     asked       ∞
  ///     .prefix(2)  -1-(2|)
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: the last value cancels the upstream, and the publisher finishes immediately,
  ///   without another request. With a length of 0 it finishes when it has delivered the subscription.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    require(maxLength >= 0, "prefix(_:) requires a maximum length of 0 or more.")
    return output(in: ..<maxLength)
  }

  /// Sends the value at an index, counted from 0.
  ///
  ///     source          -a-(b!)
  ///     .output(at: 1)  ---(b|)
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: the value cancels the upstream, and the publisher finishes immediately.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func output(at index: Int) -> Publishers.Output<Self> {
    require(index >= 0 && index < .max, "output(at:) requires an index from 0 to Int.max - 1.")
    return Publishers.Output(upstream: self, range: index..<index + 1)
  }

  /// Sends the values in a range of indices, counted from 0.
  ///
  ///     source              -a-b-(c!)
  ///     .output(in: 1...2)  ---b-(c|)
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: the last value cancels the upstream, and the publisher finishes immediately.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    Publishers.Output(upstream: self, range: requestedIndices(range))
  }
}

extension Publishers {
  /// A publisher of the values in a range of indices.
  @frozen
  public struct Output<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The indices, counted from 0.
    public let range: CountableRange<Int>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      require(range.lowerBound >= 0, "output(at:) and output(in:) require indices of 0 or more.")
      self.upstream = upstream
      self.range = range
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: OutputOperator(range))
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publishers.Output: Sendable where Upstream: Sendable {}

/// The indices in a range, counted from 0.
///
/// The range's own conversion stops the program without a message for an index below 0, or if the last one is `Int.max`.
@inlinable
func requestedIndices<R: RangeExpression<Int>>(_ range: R) -> Range<Int> {
  func following(_ last: Int) -> Int { last == .max ? last : last + 1 }
  let (first, end): (Int, Int)
  switch range {
  case let range as ClosedRange<Int>: (first, end) = (range.lowerBound, following(range.upperBound))
  case let range as PartialRangeThrough<Int>: (first, end) = (0, following(range.upperBound))
  case let range as PartialRangeUpTo<Int>: (first, end) = (0, range.upperBound)
  default: return range.relative(to: 0..<Int.max)
  }
  require(first <= end, "output(in:) requires indices of 0 or more.")
  return first..<end
}

@usableFromInline
struct OutputOperator<Input, Failure: Error>: InfallibleOperator {
  @usableFromInline
  var toSkip: Int

  /// The number of values still to be forwarded; -1 after the last.
  ///
  /// A last value that came before the subscription terminates nothing, so more values can arrive.
  @usableFromInline
  var remaining: Int

  @inlinable
  init(_ range: CountableRange<Int>) {
    toSkip = range.lowerBound
    remaining = range.count
  }

  @usableFromInline
  static var name: StaticString { "Output" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(values: true) }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  var isTerminated: Bool { mutating get { remaining == 0 } }

  @inlinable
  var demandForSkipped: Subscribers.Demand { remaining > 0 ? .max(1) : .none }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    if toSkip > 0 {
      toSkip -= 1
      return .skip
    }
    if remaining > 1 {
      remaining -= 1
      return .emit(input)
    }
    if remaining <= 0 { return .skip }
    remaining = -1
    // As in Combine, the upstream is cancelled after the value; `first` cancels before.
    return .emitLast(input)
  }
}

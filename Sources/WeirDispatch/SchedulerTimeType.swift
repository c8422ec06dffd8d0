#if canImport(Dispatch)
public import Dispatch

extension DispatchQueue {
  /// How a dispatch queue tells the time.
  ///
  /// A time later than `Int64.max` nanoseconds after the start of the clock, some 292 years, is the distant future.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time as Dispatch has it.
    public var dispatchTime: DispatchTime

    /// Wraps a time.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// Decodes the nanoseconds since the start of the clock.
    public init(from decoder: any Decoder) throws {
      dispatchTime = DispatchTime(uptimeNanoseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Encodes the nanoseconds since the start of the clock, as a single number.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// The distance to another time: the longest stride there is, in both directions, between any time and the distant
    /// future, as in Combine.
    public func distance(to other: Self) -> Stride {
      if self == other { return .nanoseconds(0) }
      guard
        let start = Int(exactly: dispatchTime.uptimeNanoseconds),
        let end = Int(exactly: other.dispatchTime.uptimeNanoseconds)
      else { return .nanoseconds(.max) }
      return .nanoseconds(end - start)
    }

    /// The time that is so much later: at the most the distant future, at the least the start of the clock.
    public func advanced(by stride: Stride) -> Self {
      let nanoseconds = dispatchTime.uptimeNanoseconds
      guard nanoseconds <= Int64.max else { return Self(.distantFuture) }
      if stride.magnitude < 0 {
        let (difference, underflow) = nanoseconds.subtractingReportingOverflow(UInt64(stride.magnitude.magnitude))
        // Zero means "now" to Dispatch, not the start.
        return Self(DispatchTime(uptimeNanoseconds: underflow ? 1 : max(difference, 1)))
      }
      let sum = nanoseconds + UInt64(stride.magnitude)
      return Self(sum < Int64.max ? DispatchTime(uptimeNanoseconds: sum) : .distantFuture)
    }

    /// Tells whether both are the same time.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    // By default this would go by the distance, which from the distant future leads forward.
    /// Tells whether the first time is the earlier one.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Feeds the time to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }
  }
}
#endif

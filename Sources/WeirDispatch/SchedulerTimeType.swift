#if !WEIR_BARE
public import Dispatch

extension DispatchQueue {
  /// The time of a dispatch queue.
  ///
  /// A time later than `Int64.max` nanoseconds after the start of the clock, some 292 years, is the distant future.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time as a Dispatch time.
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

    /// The distance to another time.
    ///
    /// Between any time and the distant future, it is the longest stride, in both directions, as in Combine.
    public func distance(to other: Self) -> Stride {
      if self == other { return .nanoseconds(0) }
      guard
        let start = Int(exactly: dispatchTime.uptimeNanoseconds),
        let end = Int(exactly: other.dispatchTime.uptimeNanoseconds)
      else { return .nanoseconds(.max) }
      return .nanoseconds(end - start)
    }

    /// The time that is later by a stride, clamped to the start of the clock and the distant future.
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

    /// Whether both are the same time.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    // The default implementation would use the distance, which is positive from the distant future to any time.
    /// Whether the first time is earlier.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Hashes the time.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }
  }
}
#endif

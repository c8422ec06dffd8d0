// .ci/twins writes OperationQueue+SchedulerTimeType.swift from this file.

#if !WEIR_BARE
public import Foundation
public import Weir

extension RunLoop {
  /// The time of a run loop: the date.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time as a Foundation date.
    public var date: Date

    /// Wraps a date.
    public init(_ date: Date) {
      self.date = date
    }

    /// The distance to another time.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(date.seconds(to: other.date))
    }

    /// The time that is later by a stride.
    public func advanced(by value: Stride) -> SchedulerTimeType {
      SchedulerTimeType(date.later(by: value.magnitude))
    }
  }
}

extension RunLoop.SchedulerTimeType {
  /// The distance between two times, in seconds.
  ///
  /// A literal counts seconds, and so does a product: `2 * .seconds(3)` is six seconds. Arithmetic saturates: an
  /// overflow becomes infinite, which stands for "never", and no result is NaN.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable,
    Sendable
  {
    /// A floating-point literal counts seconds.
    public typealias FloatLiteralType = TimeInterval

    /// An integer literal counts seconds.
    public typealias IntegerLiteralType = TimeInterval

    /// The magnitude is in seconds.
    public typealias Magnitude = TimeInterval

    /// The distance in seconds.
    ///
    /// It is negative for a stride into the past.
    public var magnitude: TimeInterval

    /// Creates a stride of this many seconds.
    ///
    /// - Precondition: `timeInterval` is not NaN.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval.checked
    }

    /// Creates a stride of this many seconds.
    public init(integerLiteral value: TimeInterval) {
      self.init(value)
    }

    /// Creates a stride of this many seconds, fractions included.
    public init(floatLiteral value: TimeInterval) {
      self.init(value)
    }

    /// Creates a stride of this many seconds, or `nil` if there is no such floating-point number.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      magnitude = seconds
    }

    /// The stride as a Foundation time interval.
    public var timeInterval: TimeInterval { magnitude }

    /// Whether the first stride is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool {
      lhs.magnitude < rhs.magnitude
    }

    /// The product of two numbers of seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride {
      Stride((lhs.magnitude * rhs.magnitude).settled)
    }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      Stride((lhs.magnitude + rhs.magnitude).settled)
    }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      Stride((lhs.magnitude - rhs.magnitude).settled)
    }

    /// Multiplies by a number of seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) {
      lhs = lhs * rhs
    }

    /// Adds.
    public static func += (lhs: inout Stride, rhs: Stride) {
      lhs = lhs + rhs
    }

    /// Subtracts.
    public static func -= (lhs: inout Stride, rhs: Stride) {
      lhs = lhs - rhs
    }

    /// A stride of this many seconds.
    public static func seconds(_ value: Int) -> Stride {
      Stride(TimeInterval(value))
    }

    /// A stride of this many seconds, fractions included.
    ///
    /// - Precondition: `value` is not NaN.
    public static func seconds(_ value: Double) -> Stride {
      Stride(value)
    }

    /// A stride of this many milliseconds.
    public static func milliseconds(_ value: Int) -> Stride {
      Stride(TimeInterval(value) / 1000)
    }

    /// A stride of this many microseconds.
    public static func microseconds(_ value: Int) -> Stride {
      Stride(TimeInterval(value) / 1_000_000)
    }

    /// A stride of this many nanoseconds.
    public static func nanoseconds(_ value: Int) -> Stride {
      Stride(TimeInterval(value) / 1_000_000_000)
    }
  }
}
#endif

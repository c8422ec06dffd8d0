/// The distance between two times of a clock of Swift's, as a scheduler has it.
///
/// A number in the source code counts seconds, and so does a product: `2 * .seconds(3)` is six seconds.
public struct DurationStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable,
  ExpressibleByFloatLiteral, Sendable
{
  /// The distance as Swift has it.
  public var duration: Duration

  /// Converts a duration.
  public init(_ duration: Duration) {
    self.duration = duration
  }

  /// Makes a stride of so many seconds.
  public init(integerLiteral value: Int) {
    self = .seconds(value)
  }

  /// Makes a stride of so many seconds, fractions included.
  public init(floatLiteral value: Double) {
    self = .seconds(value)
  }

  /// Makes a stride of so many seconds, or `nil` if an `Int` can't hold them.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  /// The stride without its sign.
  public var magnitude: Self { duration < .zero ? -self : self }

  /// Tells whether the first stride is the shorter one.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.duration < rhs.duration }

  /// The sum.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.duration + rhs.duration) }

  /// The difference.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.duration - rhs.duration) }

  /// The product of two numbers of seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.duration * (rhs.duration / .seconds(1))) }

  /// Multiplies by a number of seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

  /// A stride of this many seconds.
  public static func seconds(_ value: Int) -> Self { Self(.seconds(value)) }

  /// A stride of this many seconds, including fractions.
  ///
  /// - Precondition: `value` is a finite number.
  public static func seconds(_ value: Double) -> Self {
    require(value.isFinite, "A stride of this many seconds leads nowhere: give a finite number.")
    return Self(.seconds(value))
  }

  /// A stride of this many milliseconds.
  public static func milliseconds(_ value: Int) -> Self { Self(.milliseconds(value)) }

  /// A stride of this many microseconds.
  public static func microseconds(_ value: Int) -> Self { Self(.microseconds(value)) }

  /// A stride of this many nanoseconds.
  public static func nanoseconds(_ value: Int) -> Self { Self(.nanoseconds(value)) }
}

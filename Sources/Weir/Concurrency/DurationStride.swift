/// The distance between two times of a Swift clock, as the stride of a scheduler.
///
/// A literal is a number of seconds, and so is a factor: `2 * .seconds(3)` is six seconds.
public struct DurationStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable,
  ExpressibleByFloatLiteral, Sendable
{
  /// The distance as a `Duration`.
  public var duration: Duration

  /// Converts a duration.
  public init(_ duration: Duration) {
    self.duration = duration
  }

  /// Creates a stride of this many seconds.
  public init(integerLiteral value: Int) {
    self = .seconds(value)
  }

  /// Creates a stride of this many seconds, including fractions.
  public init(floatLiteral value: Double) {
    self = .seconds(value)
  }

  /// Creates a stride of this many seconds, or returns `nil` if an `Int` can't represent them.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  /// The absolute value of the stride.
  public var magnitude: Self { duration < .zero ? -self : self }

  /// Returns whether the first stride is shorter than the second.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.duration < rhs.duration }

  /// The sum.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.duration + rhs.duration) }

  /// The difference.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.duration - rhs.duration) }

  /// The product of two numbers of seconds.
  ///
  /// - Precondition: it is less than 2⁶³ seconds, and more than -2⁶³ seconds.
  public static func * (lhs: Self, rhs: Self) -> Self {
    let (seconds, factor) = (lhs.duration / .seconds(1), rhs.duration / .seconds(1))
    requireRepresentable(seconds * factor)
    return Self(lhs.duration * factor)
  }

  /// Multiplies by a number of seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

  /// A stride of this many seconds.
  public static func seconds(_ value: Int) -> Self { Self(.seconds(value)) }

  /// A stride of this many seconds, including fractions.
  ///
  /// - Precondition: `value` is a number, less than 2⁶³ and more than -2⁶³.
  public static func seconds(_ value: Double) -> Self {
    requireRepresentable(value)
    return Self(.seconds(value))
  }

  private static func requireRepresentable(_ seconds: Double) {
    require(seconds.magnitude < 0x1p63, "A scheduler stride must be less than 2^63 seconds. NaN is not a stride.")
  }

  /// A stride of this many milliseconds.
  public static func milliseconds(_ value: Int) -> Self { Self(.milliseconds(value)) }

  /// A stride of this many microseconds.
  public static func microseconds(_ value: Int) -> Self { Self(.microseconds(value)) }

  /// A stride of this many nanoseconds.
  public static func nanoseconds(_ value: Int) -> Self { Self(.nanoseconds(value)) }
}

/// A scheduler that runs each action immediately, on the caller's thread.
///
/// It ignores dates and intervals, and its time does not advance. Use it where an operator needs a scheduler and the
/// work should be synchronous. A repeating action runs once.
@frozen
public struct ImmediateScheduler: Scheduler, Sendable {
  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only time of this scheduler.
  public struct SchedulerTimeType: Strideable, Sendable {
    /// The distance between two times, which this scheduler ignores.
    public struct Stride: Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable,
      SchedulerTimeIntervalConvertible, Sendable
    {
      /// The size of the distance.
      public var magnitude: Int

      /// Creates a stride of this size.
      public init(_ value: Int) {
        magnitude = value
      }

      /// Creates a stride of this size.
      public init(integerLiteral value: Int) {
        magnitude = value
      }

      /// Creates a stride of this size, without the fraction.
      public init(floatLiteral value: Double) {
        magnitude = Int(value)
      }

      /// Creates a stride of this size, or returns `nil` if an `Int` can't represent it.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// Compares two strides.
      public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.magnitude < rhs.magnitude
      }

      /// The product.
      public static func * (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude * rhs.magnitude)
      }

      /// The sum.
      public static func + (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude + rhs.magnitude)
      }

      /// The difference.
      public static func - (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude - rhs.magnitude)
      }

      /// Multiplies in place.
      public static func *= (lhs: inout Self, rhs: Self) {
        lhs = lhs * rhs
      }

      /// Adds in place.
      public static func += (lhs: inout Self, rhs: Self) {
        lhs = lhs + rhs
      }

      /// Subtracts in place.
      public static func -= (lhs: inout Self, rhs: Self) {
        lhs = lhs - rhs
      }

      /// A stride of zero, because time does not advance on this scheduler.
      public static func seconds(_: Int) -> Self { 0 }

      /// A stride of zero, because time does not advance on this scheduler.
      public static func seconds(_: Double) -> Self { 0 }

      /// A stride of zero, because time does not advance on this scheduler.
      public static func milliseconds(_: Int) -> Self { 0 }

      /// A stride of zero, because time does not advance on this scheduler.
      public static func microseconds(_: Int) -> Self { 0 }

      /// A stride of zero, because time does not advance on this scheduler.
      public static func nanoseconds(_: Int) -> Self { 0 }
    }

    init() {}

    /// Returns a stride of zero, because there is only one time.
    public func distance(to other: Self) -> Stride { 0 }

    /// Returns the same time.
    public func advanced(by _: Stride) -> Self { self }
  }

  init() {}

  /// The shared scheduler.
  public static let shared = ImmediateScheduler()

  /// The only time of this scheduler.
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// A stride of zero.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action immediately.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs the action immediately.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs the action immediately, and only once.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

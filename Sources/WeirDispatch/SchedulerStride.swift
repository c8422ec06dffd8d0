#if !WEIR_BARE
public import Dispatch
public import Weir

extension DispatchQueue.SchedulerTimeType {
  /// The distance between two times, in nanoseconds.
  ///
  /// A literal counts seconds, and so does a product: `2 * .seconds(3)` is six seconds. Arithmetic saturates: an
  /// overflow becomes the longest stride, which stands for "never".
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    // The name is visible in the stride's text and in its encoded form, as in Combine.
    private var _nanoseconds: Int

    /// The distance in nanoseconds.
    ///
    /// It is negative for a stride into the past.
    public var magnitude: Int {
      get { _nanoseconds }
      set { _nanoseconds = newValue }
    }

    private init(nanoseconds: Int) {
      _nanoseconds = nanoseconds
    }

    /// A stride of this many units of `unit` nanoseconds.
    private init(_ count: Int, times unit: Int) {
      let (product, overflow) = count.multipliedReportingOverflow(by: unit)
      _nanoseconds = overflow ? (count < 0 ? .min : .max) : product
    }

    /// Converts an interval; `.never` becomes the longest stride.
    public init(_ timeInterval: DispatchTimeInterval) {
      switch timeInterval {
      case .seconds(let count): self = .seconds(count)
      case .milliseconds(let count): self = .milliseconds(count)
      case .microseconds(let count): self = .microseconds(count)
      case .nanoseconds(let count): self = .nanoseconds(count)
      case .never: self = .nanoseconds(.max)
      @unknown default: preconditionFailure("Stride doesn't support the unit of \(timeInterval). Use .nanoseconds(_:).")
      }
    }

    /// Creates a stride of this many seconds, fractions included.
    public init(floatLiteral value: Double) {
      self = .seconds(value)
    }

    /// Creates a stride of this many seconds.
    public init(integerLiteral value: Int) {
      self = .seconds(value)
    }

    /// Creates a stride of this many seconds, or `nil` if it would be longer than the longest.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if overflow { return nil }
      _nanoseconds = nanoseconds
    }

    /// The stride as a Dispatch interval.
    public var timeInterval: DispatchTimeInterval {
      .nanoseconds(magnitude)
    }

    /// Whether the first stride is shorter.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.magnitude < rhs.magnitude
    }

    /// The product of two numbers of seconds.
    public static func * (lhs: Self, rhs: Self) -> Self {
      let product = lhs.magnitude.multipliedFullWidth(by: rhs.magnitude)
      let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
      let billion = 1_000_000_000
      // The quotient fits if the upper half of the product is less than half of the divisor.
      guard product.high.magnitude < UInt(billion / 2) else { return Self(nanoseconds: isNegative ? .min : .max) }
      return Self(nanoseconds: billion.dividingFullWidth(product).quotient)
    }

    /// The sum.
    public static func + (lhs: Self, rhs: Self) -> Self {
      let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
      return Self(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : sum)
    }

    /// The difference.
    public static func - (lhs: Self, rhs: Self) -> Self {
      let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
      return Self(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : difference)
    }

    /// Multiplies by a number of seconds.
    public static func *= (lhs: inout Self, rhs: Self) {
      lhs = lhs * rhs
    }

    /// Adds.
    public static func += (lhs: inout Self, rhs: Self) {
      lhs = lhs + rhs
    }

    /// Subtracts.
    public static func -= (lhs: inout Self, rhs: Self) {
      lhs = lhs - rhs
    }

    /// A stride of this many seconds, fractions included.
    ///
    /// - Precondition: `value` is finite, as in Combine.
    public static func seconds(_ value: Double) -> Self {
      require(value.isFinite, "A stride of a dispatch queue must be a finite number of seconds.")
      let nanoseconds = (value * 1_000_000_000).rounded()
      return Self(nanoseconds: Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }

    /// A stride of this many seconds.
    public static func seconds(_ value: Int) -> Self {
      Self(value, times: 1_000_000_000)
    }

    /// A stride of this many milliseconds.
    public static func milliseconds(_ value: Int) -> Self {
      Self(value, times: 1_000_000)
    }

    /// A stride of this many microseconds.
    public static func microseconds(_ value: Int) -> Self {
      Self(value, times: 1000)
    }

    /// A stride of this many nanoseconds.
    public static func nanoseconds(_ value: Int) -> Self {
      Self(nanoseconds: value)
    }
  }
}
#endif

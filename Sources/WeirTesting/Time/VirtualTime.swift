public import Weir

/// A time of a ``VirtualTimeScheduler``, in nanoseconds since the scheduler was created.
///
/// Arithmetic saturates: an overflow becomes the latest time, which stands for "never".
public struct VirtualTime: Strideable, Hashable, Sendable, CustomStringConvertible {
  /// The nanoseconds since the scheduler was created.
  public var nanoseconds: Int64

  /// Creates a time of this many nanoseconds after the start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time at which every scheduler starts.
  public static let zero = VirtualTime(nanoseconds: 0)

  /// This many seconds after the start.
  public static func seconds(_ count: Int) -> VirtualTime { zero.advanced(by: .seconds(count)) }

  /// This many seconds after the start, fractions included.
  public static func seconds(_ count: Double) -> VirtualTime { zero.advanced(by: .seconds(count)) }

  /// This many milliseconds after the start.
  public static func milliseconds(_ count: Int) -> VirtualTime { zero.advanced(by: .milliseconds(count)) }

  /// This many microseconds after the start.
  public static func microseconds(_ count: Int) -> VirtualTime { zero.advanced(by: .microseconds(count)) }

  /// This many nanoseconds after the start.
  public static func nanoseconds(_ count: Int) -> VirtualTime { zero.advanced(by: .nanoseconds(count)) }

  /// The distance to another time.
  public func distance(to other: VirtualTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
  }

  /// The time that is later by a stride.
  public func advanced(by stride: Stride) -> VirtualTime {
    VirtualTime(nanoseconds: (Stride(nanoseconds: nanoseconds) + stride).magnitude)
  }

  // The default implementations would use the distance, which saturates.
  /// Whether the first time is earlier.
  public static func < (lhs: VirtualTime, rhs: VirtualTime) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// Whether both are the same time.
  public static func == (lhs: VirtualTime, rhs: VirtualTime) -> Bool {
    lhs.nanoseconds == rhs.nanoseconds
  }

  /// The time since the start, such as `1.5 s`.
  public var description: String {
    Stride(nanoseconds: nanoseconds).description
  }
}

extension VirtualTime {
  /// The distance between two times, in nanoseconds.
  ///
  /// A literal counts seconds, as with Combine's schedulers, and so does a product: `2 * .seconds(3)` is six seconds.
  /// Arithmetic saturates: an overflow becomes the longest stride, which stands for "never".
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Sendable, CustomStringConvertible
  {
    /// The distance in nanoseconds.
    ///
    /// It is negative for a stride into the past.
    public var magnitude: Int64

    /// Creates a stride of this many nanoseconds.
    public init(nanoseconds: Int64) {
      magnitude = nanoseconds
    }

    private init(_ count: Int, times unit: Int64) {
      let (product, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
      magnitude = overflow ? (count < 0 ? .min : .max) : product
    }

    /// Creates a stride of this many seconds.
    public init(integerLiteral value: Int) {
      self = .seconds(value)
    }

    /// Creates a stride of this many seconds, fractions included.
    public init(floatLiteral value: Double) {
      self = .seconds(value)
    }

    /// Creates a stride of this many seconds, or `nil` if it would be longer than the longest.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int64(exactly: source) else { return nil }
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if overflow { return nil }
      magnitude = nanoseconds
    }

    /// A stride of this many seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(s, times: 1_000_000_000) }

    /// A stride of this many seconds, fractions included.
    ///
    /// - Precondition: `s` is not NaN.
    public static func seconds(_ s: Double) -> Stride {
      require(!s.isNaN, "A scheduler stride must not be NaN.")
      let nanoseconds = (s * 1_000_000_000).rounded()
      return Stride(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }

    /// A stride of this many milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(ms, times: 1_000_000) }

    /// A stride of this many microseconds.
    public static func microseconds(_ us: Int) -> Stride { Stride(us, times: 1000) }

    /// A stride of this many nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(ns, times: 1) }

    /// Whether the first stride is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool {
      lhs.magnitude < rhs.magnitude
    }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
      return Stride(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : sum)
    }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
      return Stride(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : difference)
    }

    /// The product of two numbers of seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride {
      let product = lhs.magnitude.multipliedFullWidth(by: rhs.magnitude)
      let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
      let billion: Int64 = 1_000_000_000
      // The quotient fits if the upper half of the product is less than half of the divisor.
      guard product.high.magnitude < UInt64(billion / 2) else { return Stride(nanoseconds: isNegative ? .min : .max) }
      return Stride(nanoseconds: billion.dividingFullWidth(product).quotient)
    }

    /// Multiplies by a number of seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) {
      lhs = lhs * rhs
    }

    /// The length in the largest unit that it reaches, such as `1.5 s` or `20 ms`.
    public var description: String {
      let length = magnitude.magnitude
      let (unit, name): (UInt64, String) =
        switch length {
        case 0, 1_000_000_000...: (1_000_000_000, "s")
        case 1_000_000...: (1_000_000, "ms")
        case 1000...: (1000, "µs")
        default: (1, "ns")
        }
      var fraction = String(String(unit + length % unit).dropFirst())
      while fraction.last == "0" { fraction.removeLast() }
      return (magnitude < 0 ? "-" : "") + "\(length / unit)\(fraction.isEmpty ? "" : ".\(fraction)") \(name)"
    }
  }
}

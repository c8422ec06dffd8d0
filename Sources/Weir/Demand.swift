extension Subscribers {
  /// The number of values that a subscriber requests: a count, or unlimited.
  ///
  /// Arithmetic saturates: an overflow becomes ``unlimited``. ``unlimited`` stays unlimited whatever is added or
  /// subtracted. A negative count is a programming error.
  @frozen
  public struct Demand: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The count, or `Int.max` plus 1 for unlimited demand, as Combine encodes it.
    @usableFromInline
    let rawValue: UInt

    @usableFromInline
    static var limit: UInt { @inlinable get { UInt(Int.max) + 1 } }

    @inlinable
    init(rawValue: UInt) {
      // Performance: `min` is a generic call in a debug build, which takes 45 instructions.
      self.rawValue = rawValue > Self.limit ? Self.limit : rawValue
    }

    /// Performance: transparent, like the two properties below, because a debug build reads them for each value.
    @inlinable
    @_transparent
    init(unchecked rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Unlimited demand.
    @inlinable
    @_transparent
    public static var unlimited: Demand { Demand(unchecked: limit) }

    /// No demand, the same as `.max(0)`.
    @inlinable
    @_transparent
    public static var none: Demand { Demand(unchecked: 0) }

    /// A demand of this many values.
    ///
    /// - Precondition: `value` is not negative.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      require(value >= 0, "Subscribers.Demand requires 0 or more values. Use .unlimited for all of them.")
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The count, or `nil` if there is no limit.
    @inlinable
    public var max: Int? {
      self == .unlimited ? nil : Int(rawValue)
    }

    /// `unlimited`, or `max(n)`.
    public var description: String {
      max.map { "max(\($0))" } ?? "unlimited"
    }
  }
}

// MARK: - Arithmetic

extension Subscribers.Demand {
  /// The sum, which becomes unlimited when it overflows.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    // Only the sum of unlimited and unlimited overflows the raw value.
    let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
    return overflow ? .unlimited : Self(rawValue: sum)
  }

  /// The sum with a count, which becomes unlimited when it overflows.
  ///
  /// - Precondition: the result is not negative.
  @inlinable
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (sum, overflow) = count.addingReportingOverflow(rhs)
    return overflow ? .unlimited : .max(sum)
  }

  /// The difference: unlimited minus anything stays unlimited, and a count minus unlimited is none.
  ///
  /// - Precondition: the result is not negative. Combine stops, too, although its documentation says otherwise.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    guard let count = lhs.max else { return .unlimited }
    guard let other = rhs.max else { return .none }
    return .max(count - other)
  }

  /// The difference with a count; unlimited stays unlimited, and an overflow becomes none, as in Combine.
  ///
  /// - Precondition: the result is not negative.
  @inlinable
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (difference, overflow) = count.subtractingReportingOverflow(rhs)
    return overflow ? .none : .max(difference)
  }

  /// The product, which becomes unlimited when it overflows; unlimited stays unlimited.
  ///
  /// - Precondition: the result is not negative.
  @inlinable
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
    return overflow ? .unlimited : .max(product)
  }

  /// Adds a demand.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) {
    lhs = lhs + rhs
  }

  /// Adds a count.
  @inlinable
  public static func += (lhs: inout Self, rhs: Int) {
    lhs = lhs + rhs
  }

  /// Subtracts a demand.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) {
    lhs = lhs - rhs
  }

  /// Subtracts a count.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Int) {
    lhs = lhs - rhs
  }

  /// Multiplies by a count.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Int) {
    lhs = lhs * rhs
  }
}

// MARK: - Comparison

extension Subscribers.Demand {
  /// Compares two demands; unlimited is the greatest.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue < rhs.rawValue
  }

  /// Returns whether the first demand is at most the second; unlimited is the greatest.
  @inlinable
  public static func <= (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue <= rhs.rawValue
  }

  /// Returns whether the first demand is greater than the second; unlimited is the greatest.
  @inlinable
  public static func > (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue > rhs.rawValue
  }

  /// Returns whether the first demand is at least the second; unlimited is the greatest.
  @inlinable
  public static func >= (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue >= rhs.rawValue
  }

  /// Returns whether both demands are equal.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue == rhs.rawValue
  }

  /// Returns whether the demand is less than the count; unlimited is greater than every count.
  @inlinable
  public static func < (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 < rhs } ?? false
  }

  /// Returns whether the count is less than the demand; unlimited is greater than every count.
  @inlinable
  public static func < (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs < $0 } ?? true
  }

  /// Returns whether the demand is at most the count; unlimited is greater than every count.
  @inlinable
  public static func <= (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 <= rhs } ?? false
  }

  /// Returns whether the count is at most the demand; unlimited is greater than every count.
  @inlinable
  public static func <= (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs <= $0 } ?? true
  }

  /// Returns whether the demand is greater than the count; unlimited is greater than every count.
  @inlinable
  public static func > (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 > rhs } ?? true
  }

  /// Returns whether the count is greater than the demand; unlimited is greater than every count.
  @inlinable
  public static func > (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs > $0 } ?? false
  }

  /// Returns whether the demand is at least the count; unlimited is greater than every count.
  @inlinable
  public static func >= (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 >= rhs } ?? true
  }

  /// Returns whether the count is at least the demand; unlimited is greater than every count.
  @inlinable
  public static func >= (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs >= $0 } ?? false
  }

  /// Returns whether the demand equals the count; unlimited is greater than every count.
  @inlinable
  public static func == (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 == rhs } ?? false
  }

  /// Returns whether the count equals the demand; unlimited is greater than every count.
  @inlinable
  public static func == (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs == $0 } ?? false
  }

  /// Returns whether the demand differs from the count; unlimited is greater than every count.
  @inlinable
  public static func != (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 != rhs } ?? true
  }

  /// Returns whether the count differs from the demand; unlimited is greater than every count.
  @inlinable
  public static func != (lhs: Int, rhs: Self) -> Bool {
    rhs.max.map { lhs != $0 } ?? true
  }
}

// MARK: - Coding

extension Subscribers.Demand {
  /// Decodes a single number.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
  }

  /// Encodes a single number, which is greater than `Int.max` for unlimited demand.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

// MARK: - Requests

extension Subscribers.Demand {
  /// Stops the program, with the message also in optimized builds, if this demand is none.
  @usableFromInline
  package func requirePositive() {
    guard self == .none else { return }
    fatalError("request(_:) requires a demand of .max(1) or more, not .none.")
  }
}

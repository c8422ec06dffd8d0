/// A number whose comparison, hash, arithmetic, coding and `deinit` are places where user code runs.
///
/// Rules C15, C16 and C21 act at these places, as ``UserCode`` says. Send these values through an operator that
/// compares, hashes, combines or stores what it receives:
///
///     try OperatorVerification(values: VerificationValue.upTo(100)) { $0.myRemoveDuplicates() }.run().check()
public struct VerificationValue: Comparable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  private final class Storage: Sendable {
    let number: Int
    private let live = LiveValues.current

    init(_ number: Int) {
      self.number = number
      live?.add(1)
    }

    deinit {
      live?.add(-1)
      UserCode.releases("the deinit of a value")
    }
  }

  private let storage: Storage

  /// The number.
  public var number: Int { storage.number }

  /// Wraps a number.
  public init(_ number: Int) { storage = Storage(number) }

  /// Wraps a number.
  public init(integerLiteral number: Int) { self.init(number) }

  /// The values from 1 to `count`.
  public static func upTo(_ count: Int) -> [VerificationValue] { (1...count).map { VerificationValue($0) } }

  /// The number as text.
  public var description: String { number.description }

  /// Compares the numbers.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    UserCode.runs("== of values")
    return lhs.number == rhs.number
  }

  /// Compares the numbers.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    UserCode.runs("< of values")
    return lhs.number < rhs.number
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    UserCode.runs("hash(into:) of a value")
    hasher.combine(number)
  }

  /// Adds the numbers.
  public static func + (lhs: Self, rhs: Self) -> Self { combine(lhs, rhs, +) }

  /// Multiplies the numbers.
  public static func * (lhs: Self, rhs: Self) -> Self { combine(lhs, rhs, *) }

  /// Divides the numbers.
  public static func / (lhs: Self, rhs: Self) -> Self { combine(lhs, rhs, /) }

  /// The remainder of the numbers' division.
  public static func % (lhs: Self, rhs: Self) -> Self { combine(lhs, rhs, %) }

  private static func combine(_ lhs: Self, _ rhs: Self, _ operation: (Int, Int) -> Int) -> Self {
    UserCode.runs("arithmetic of values")
    return Self(operation(lhs.number, rhs.number))
  }
}

extension VerificationValue: Codable {
  /// Decodes a number.
  public init(from decoder: any Decoder) throws {
    UserCode.runs("init(from:) of a value")
    self.init(try decoder.singleValueContainer().decode(Int.self))
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    UserCode.runs("encode(to:) of a value")
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

/// The number of live values that a rule has sent, and its maximum.
final class LiveValues: Sendable {
  @TaskLocal static var current: LiveValues?

  private let counts = Shared((now: 0, highest: 0))

  var count: Int { counts.withLock { $0.now } }

  var highest: Int { counts.withLock { $0.highest } }

  func add(_ change: Int) {
    counts.withLock { counts in
      counts.now += change
      counts.highest = max(counts.highest, counts.now)
    }
  }
}

/// A copy of the value without other references, so that the operator can release the last one.
func fresh<Value>(_ value: Value) -> Value {
  guard Interference.current != nil || LiveValues.current != nil, let known = value as? VerificationValue else {
    return value
  }
  return VerificationValue(known.number) as? Value ?? value
}

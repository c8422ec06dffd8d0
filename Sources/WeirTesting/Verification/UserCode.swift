/// Marks the places where user code runs, so that rules C15 and C16 can re-enter the operator from there.
///
/// The verification calls its own subscribers, subscriptions, schedulers and ``VerificationValue``s at these places. Call
/// ``runs(_:)`` in closures that you pass to your operator:
///
///     try OperatorVerification(values: VerificationValue.upTo(100)) { upstream in
///       upstream.myFilter { value in
///         UserCode.runs("the predicate")
///         return value.number > 1
///       }
///     }.run().check()
///
/// Outside a verification these methods do nothing.
public enum UserCode {
  /// Marks a place where user code runs: a closure, an operator such as `==`, or a method of a type of your own.
  ///
  /// - Parameter place: How a report names the place.
  public static func runs(_ place: StaticString = "a closure") {
    Interference.current?.reach(place, isRelease: false)
  }

  /// Marks the `deinit` of a value, an error, or an object that a closure captures.
  ///
  /// - Parameter place: How a report names the place.
  public static func releases(_ place: StaticString = "a deinit") {
    Interference.current?.reach(place, isRelease: true)
  }

  /// Whether the upstream of the running script is a `PassthroughSubject`, which a factory leaves unwrapped.
  package static var isFedBySubject: Bool { Interference.current?.feed == .subject }
}

/// A number whose comparison, hash, arithmetic and `deinit` are places where user code runs.
///
/// Give an operator these values where its contract with user types matters. Rules C15 and C16 re-enter the operator from
/// `==`, `<`, `hash(into:)`, `+`, coding and `deinit`. Rule C18 counts the values that are alive.
///
///     try OperatorVerification(values: VerificationValue.upTo(100)) { $0.myRemoveDuplicates() }.run().check()
public struct VerificationValue: Comparable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  private final class Storage: Sendable {
    let number: Int
    let count: LiveValues?

    init(_ number: Int, _ count: LiveValues?) {
      self.number = number
      self.count = count
      count?.add(1)
    }

    deinit {
      count?.add(-1)
      UserCode.releases("the deinit of a value")
    }
  }

  private let storage: Storage

  /// The number.
  public var number: Int { storage.number }

  /// Wraps a number.
  public init(_ number: Int) { storage = Storage(number, nil) }

  /// Wraps a number.
  public init(integerLiteral number: Int) { self.init(number) }

  /// Wraps a number, and counts while it is alive.
  init(_ number: Int, countedBy count: LiveValues) { storage = Storage(number, count) }

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
  public static func + (lhs: Self, rhs: Self) -> Self {
    UserCode.runs("a closure")
    return Self(lhs.number + rhs.number)
  }

  /// Multiplies the numbers.
  public static func * (lhs: Self, rhs: Self) -> Self {
    UserCode.runs("a closure")
    return Self(lhs.number * rhs.number)
  }

  /// Divides the numbers.
  public static func / (lhs: Self, rhs: Self) -> Self {
    UserCode.runs("a closure")
    return Self(lhs.number / rhs.number)
  }

  /// The remainder of the numbers' division.
  public static func % (lhs: Self, rhs: Self) -> Self {
    UserCode.runs("a closure")
    return Self(lhs.number % rhs.number)
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

/// Makes a value that nothing else holds, so that the operator can release the last reference to it.
func fresh<Value>(_ value: Value) -> Value {
  guard Value.self == VerificationValue.self, let known = value as? VerificationValue,
    let copy = VerificationValue(known.number) as? Value
  else { return value }
  return copy
}

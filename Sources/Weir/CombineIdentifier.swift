import Synchronization

/// An identifier that distinguishes subscriptions and subscribers.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private let rawValue: UInt64

  private static let count = Atomic<UInt64>(0)

  /// The identifier that all empty subscriptions share.
  static let empty = CombineIdentifier()

  /// Creates an identifier that is unique in this process.
  public init() {
    rawValue = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// Creates the identifier of an object, which is the same at each call.
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier as a hexadecimal number.
  public var description: String {
    "0x" + String(rawValue, radix: 16)
  }
}

/// A type whose values have an identifier.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of this value or object.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of this object, derived from its identity.
  public var combineIdentifier: CombineIdentifier {
    CombineIdentifier(self)
  }
}

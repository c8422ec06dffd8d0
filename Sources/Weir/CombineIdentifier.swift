import Synchronization

/// An identifier that tells subscriptions and subscribers apart.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private let rawValue: UInt64

  private static let count = Atomic<UInt64>(0)

  /// The identifier that all empty subscriptions share.
  static let empty = CombineIdentifier()

  /// Makes an identifier that no other has in this process.
  public init() {
    rawValue = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// Makes the identifier of an object; the same object always gives the same one.
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier as a hexadecimal number.
  public var description: String {
    "0x" + String(rawValue, radix: 16)
  }
}

/// Declares that a type has an identifier.
public protocol CustomCombineIdentifierConvertible {
  /// What identifies this value or object.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of this object, made from its identity.
  public var combineIdentifier: CombineIdentifier {
    CombineIdentifier(self)
  }
}

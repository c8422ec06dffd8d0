public import Weir

/// One side of a two-way binding: a value that can be read, set and observed.
///
/// A side is a state: only its present value counts, so intermediate values may be skipped.
///
/// - Threading: a binding reads and sets a side on the thread that changes the other side, unless ``access(_:)``
///   differs.
public protocol TwoWayBindable<Value> {
  /// The type of the value.
  associatedtype Value

  /// The type of the publisher that announces changes.
  associatedtype Changes: Publisher where Changes.Failure == Never

  /// The value; `nil` if there is none, or if it can't be read on this thread (see ``access(_:)``).
  var currentValue: Value? { get }

  /// The value that a binding starts with if this is its right side.
  ///
  /// The default is ``currentValue``.
  var initialValue: Value? { get }

  /// Sends an element after each change, when ``currentValue`` is up to date.
  ///
  /// Bindings ignore the element itself.
  ///
  /// It may announce the changes that ``set(_:)`` makes, or omit them. It sends no element at the subscription. It
  /// finishes when no more changes can occur.
  var changes: Changes { get }

  /// Sets the value.
  ///
  /// The side may correct it.
  func set(_ value: Value)

  /// Runs a body that reads or sets the value: immediately, or later on the side's own executor.
  func access(_ body: @escaping () -> Void)

  /// The identity of this side, equal for all sides of the same property.
  ///
  /// An object is its own identity.
  var identity: BindingEndpointID? { get }
}

extension TwoWayBindable {
  /// The current value.
  public var initialValue: Value? { currentValue }

  /// Runs the body immediately.
  public func access(_ body: @escaping () -> Void) {
    body()
  }

  /// No identity: the side is distinct from every other side.
  public var identity: BindingEndpointID? { nil }
}

extension TwoWayBindable where Self: AnyObject {
  /// The identity of this object.
  public var identity: BindingEndpointID? { BindingEndpointID(self) }
}

/// The identity of a side of a binding: an object, or a property of an object.
///
/// It doesn't retain the object. While it exists, no later object has the same identity, also after the object has been
/// deallocated.
public struct BindingEndpointID: Hashable {
  private let address: ReservedAddress
  private let keyPath: AnyKeyPath?

  var object: ObjectIdentifier { address.object }

  /// Feeds the object's identity to a hasher.
  ///
  /// Performance: without the key path, because a key path is long, and few properties of an object are bound.
  public func hash(into hasher: inout Hasher) {
    address.hash(into: &hasher)
  }

  /// Creates the identity of an object, or of a property of an object.
  public init(_ object: AnyObject, _ keyPath: AnyKeyPath? = nil) {
    address = ReservedAddress(of: object)
    self.keyPath = keyPath
  }
}

/// The address of an object, whose memory is not freed while this value exists.
private struct ReservedAddress: Hashable {
  let object: ObjectIdentifier

  /// Never read; the reference keeps the memory of a deallocated object allocated.
  private unowned let memory: AnyObject

  init(of object: AnyObject) {
    self.object = ObjectIdentifier(object)
    memory = object
  }

  static func == (one: ReservedAddress, other: ReservedAddress) -> Bool {
    one.object == other.object
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(object)
  }
}

extension CurrentValueSubject: TwoWayBindable where Failure == Never {
  /// The latest value.
  public var currentValue: Output? { value }

  /// The values that are sent after the subscription.
  public var changes: Publishers.Drop<CurrentValueSubject> { dropFirst() }

  /// Sends the value.
  public func set(_ value: Output) {
    send(value)
  }
}

extension CurrentValueRelay: TwoWayBindable {
  /// The latest value.
  public var currentValue: Output? { value }

  /// The values that are sent after the subscription.
  public var changes: Publishers.Drop<CurrentValueRelay> { dropFirst() }

  /// Sends the value.
  public func set(_ value: Output) {
    accept(value)
  }
}

/// Whether two values are equal, or `nil` if their type is not `Equatable`.
@inlinable
func areEqual<Value>(_ one: Value, _ other: Value) -> Bool? {
  func compare<Known: Equatable>(_: Known.Type) -> Bool? {
    guard let one = one as? Known, let other = other as? Known else { return nil }
    return one == other
  }
  guard let type = Value.self as? any Equatable.Type else { return nil }
  return compare(type)
}

public import Weir

/// What can be one side of a two-way binding: a value that can be read and set, and that tells of its changes.
///
/// A side is a state: what counts is the value that it has now, so values in between may be left out.
///
/// - Threading: a binding reads and sets a side where the other one changes, unless ``access(_:)`` says otherwise.
public protocol TwoWay<Value> {
  /// The type of the value.
  associatedtype Value

  /// The type of the publisher that tells of changes.
  associatedtype Changes: Publisher where Changes.Failure == Never

  /// The value, or `nil` if there is none yet, or none any more, or it can't be read here (see ``access(_:)``).
  var currentValue: Value? { get }

  /// What a binding begins with if this is its right side: the value, where nothing else is said.
  var initialValue: Value? { get }

  /// Sends something after each change, when ``currentValue`` has it; what it sends makes no difference.
  ///
  /// It may tell of what ``set(_:)`` does or not. It sends nothing when it is subscribed to, and finishes when there will
  /// be no changes any more.
  var changes: Changes { get }

  /// Changes the value; what is set may be corrected.
  func set(_ value: Value)

  /// Runs a body that reads or sets the value: at once, or later where that is allowed.
  func access(_ body: @escaping () -> Void)

  /// What tells this side from others: equal for all that stand for the same property. An object's is itself.
  var identity: SideIdentity? { get }
}

extension TwoWay {
  /// The value that there is.
  public var initialValue: Value? { currentValue }

  /// Runs the body at once.
  public func access(_ body: @escaping () -> Void) {
    body()
  }

  /// Nothing: then it is taken for a side that nothing else stands for.
  public var identity: SideIdentity? { nil }
}

extension TwoWay where Self: AnyObject {
  /// The object itself.
  public var identity: SideIdentity? { SideIdentity(self) }
}

/// What tells a side of a binding from others: an object, or a property of it.
public struct SideIdentity: Hashable {
  let object: ObjectIdentifier
  let keyPath: AnyKeyPath?

  /// Stands for an object, or for a property of it.
  public init(_ object: AnyObject, _ keyPath: AnyKeyPath? = nil) {
    self.object = ObjectIdentifier(object)
    self.keyPath = keyPath
  }
}

extension CurrentValueSubject: TwoWay where Failure == Never {
  /// The latest value.
  public var currentValue: Output? { value }

  /// The values that are sent from now on.
  public var changes: Publishers.Drop<CurrentValueSubject> { dropFirst() }

  /// Sends the value.
  public func set(_ value: Output) {
    send(value)
  }
}

extension CurrentValueRelay: TwoWay {
  /// The latest value.
  public var currentValue: Output? { value }

  /// The values that are sent from now on.
  public var changes: Publishers.Drop<CurrentValueRelay> { dropFirst() }

  /// Sends the value.
  public func set(_ value: Output) {
    accept(value)
  }
}

/// Whether two values are equal, or `nil` if their type can't tell.
func areEqual<Value>(_ one: Value, _ other: Value) -> Bool? {
  func compare<Known: Equatable>(_: Known.Type) -> Bool? {
    guard let one = one as? Known, let other = other as? Known else { return nil }
    return one == other
  }
  guard let type = Value.self as? any Equatable.Type else { return nil }
  return compare(type)
}

/// The reactive extensions of an object.
///
/// Add properties for your own control in an extension:
///
///     extension Reactive where Base: Dial {
///       @MainActor
///       var angle: ControlProperty<Double> {
///         controlProperty(editingEvents: .valueChanged, getter: { $0.angle }, setter: { $0.angle = $1 })
///       }
///     }
///
/// Every settable property of an object exists here as a ``Binder`` without an extension: `label.rx.text`,
/// `button.rx.isEnabled`.
///
/// - Threading: use the extensions of a control on the main actor.
@dynamicMemberLookup
public struct Reactive<Base> {
  /// The object.
  public let base: Base

  /// Creates the extensions of an object; `rx` is the usual way to create them.
  public init(_ base: Base) {
    self.base = base
  }

  /// A binder that sets a property of the object.
  @MainActor
  public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Base, Value>) -> Binder<Value>
  where Base: AnyObject {
    Binder(base) { base, value in base[keyPath: keyPath] = value }
  }
}

extension Reactive: Sendable where Base: Sendable {}

/// A type with the member `rx`.
///
/// Every ``View`` conforms. Add an empty conformance to your own class.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
  /// The reactive extensions of the object.
  public var rx: Reactive<Self> { Reactive(self) }

  /// The reactive extensions of the type.
  public static var rx: Reactive<Self>.Type { Reactive<Self>.self }
}

extension View: ReactiveCompatible {}

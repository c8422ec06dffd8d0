/// What an object offers to publishers and subscribers, apart from its own members.
///
/// A control of your own gets properties here by an extension:
///
///     extension Reactive where Base: Dial {
///       @MainActor
///       var angle: ControlProperty<Double> {
///         controlProperty(editingEvents: .valueChanged, getter: { $0.angle }, setter: { $0.angle = $1 })
///       }
///     }
///
/// Every property of an object that can be set is here without one, as a ``Binder``: `label.rx.text`, `button.rx.isEnabled`.
///
/// - Threading: what belongs to a control is used on the main actor.
@dynamicMemberLookup
public struct Reactive<Base> {
  /// The object.
  public let base: Base

  /// Makes what the object offers; `rx` is the usual way.
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

/// An object with `rx`.
///
/// Every ``View`` is one. A class of your own joins with an empty conformance.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
  /// What the object offers to publishers and subscribers.
  public var rx: Reactive<Self> { Reactive(self) }

  /// What the type offers to publishers and subscribers.
  public static var rx: Reactive<Self>.Type { Reactive<Self>.self }
}

extension View: ReactiveCompatible {}

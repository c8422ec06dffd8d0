/// An object that announces its changes before it makes them.
///
/// By default, ``objectWillChange`` sends before each change of a ``Published`` property of the class or a superclass.
/// A `Mirror` finds the properties at the first access to ``objectWillChange``. For a class with a `customMirror`, which
/// can hide them, each property is found when it is first set on the object, which `assign(to:)` doesn't do.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that sends before a change.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// A publisher that sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before a ``Published`` property changes; it is the same at every access.
  ///
  /// - Demand: each subscriber has its own. A signal that is sent while a subscriber has no demand is dropped for it.
  /// - Completion and cancellation: it never completes.
  /// - Threading: can be read on any thread. The first access reads all stored properties. During that access, no other
  ///   thread may set a property of the object, except a published one.
  public var objectWillChange: ObservableObjectPublisher {
    ObservedObjects.shared.publisher(of: self)
  }
}

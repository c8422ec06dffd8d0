/// An object that tells before it changes.
///
/// Where nothing else is written, ``objectWillChange`` sends before each change of a ``Published`` property of the
/// class or a superclass. The properties are found with `Mirror` when the publisher is asked for the first time; a
/// class with a `customMirror` shows those that its mirror has.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that sends before a change.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Sends before a ``Published`` property changes: the same publisher at every access.
  ///
  /// - Demand: each subscriber's own. A signal that comes while a subscriber has no demand is lost to it.
  /// - Completion and cancellation: it never ends.
  /// - Threading: may be read on any thread. The first access reads all stored properties, so no other thread may set a
  ///   property of the object meanwhile, save the published ones.
  public var objectWillChange: ObservableObjectPublisher {
    ObservedObjects.shared.publisher(of: self)
  }
}

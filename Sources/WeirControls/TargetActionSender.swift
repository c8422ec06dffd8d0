/// A protocol of all controls, through which an action receives the control with its own type.
///
/// An action is a method of the target, or a closure that receives the target and need not capture it. The target is
/// held weakly, and its actions are removed when it is deallocated. Actions run in the order of their addition.
///
/// **Adding an action twice.** If you add the same action of the same target again, it doesn't run twice. Its events
/// are merged, and it keeps its position. UIKit identifies actions by their selector, which is a name. Swift has no
/// selectors and can't compare functions, so Weir uses a name too:
///
///     button.addTarget(form, action: Form.save, named: "save", for: .touchUpInside)
///     button.addTarget(form, action: Form.save, named: "save", for: .primaryActionTriggered)  // one action, two events
///     button.removeTarget(form, action: "save", for: .allEvents)
///
/// The default name is the source location. So setup code that runs twice adds its actions once, and two lines add two
/// actions. For equal names, the last function replaces the previous one. Give names if one line adds several closures
/// for one target.
@MainActor
public protocol TargetActionSender: Control {}

extension TargetActionSender {
  // The forms for methods are disfavored, because a closure of several statements matches them too.

  /// Adds a method of the target without parameters, for instance `Form.save`.
  @_disfavoredOverload
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor () -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target)() }
  }

  /// Adds a method of the target that takes the control, for instance `Form.save(from:)`.
  @_disfavoredOverload
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor (Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target)(control) }
  }

  /// Adds a method of the target that takes the control and the events.
  ///
  /// The method receives those of the sent events for which the action was added.
  @_disfavoredOverload
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor (Self, Control.Event) -> Void,
    named name: String? = nil, for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line,
    column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, event in action(target)(control, event) }
  }

  /// Adds a closure that receives the target.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target) }
  }

  /// Adds a closure that receives the target and the control.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target, control) }
  }

  /// Adds a closure that receives the target, the control and the events.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, Self, Control.Event) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column, action)
  }

  // The three forms for methods again, for targets that are neither isolated to an actor nor `Sendable`. Swift can't
  // convert their methods to functions of the main actor. Where both forms apply, the compiler prefers those above.

  /// Adds a method without parameters, of a class that isn't isolated to the main actor.
  @_disfavoredOverload
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping (T) -> () -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target)() }
  }

  /// Adds a method that takes the control, of a class that isn't isolated to the main actor.
  @_disfavoredOverload
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping (T) -> (Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target)(control) }
  }

  /// Adds a method that takes the control and the events, of a class that isn't isolated to the main actor.
  @_disfavoredOverload
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping (T) -> (Self, Control.Event) -> Void,
    named name: String? = nil, for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line,
    column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, event in action(target)(control, event) }
  }

  private func add<T: AnyObject>(
    _ target: T, _ name: String?, _ events: Control.Event, _ fileID: StaticString, _ line: Int, _ column: Int,
    _ action: @escaping @MainActor (T, Self, Control.Event) -> Void
  ) {
    targets.add(target, named: name ?? "\(fileID):\(line):\(column)", for: events) { target, control, event in
      // Safety: the list passes the target that was added here, and the control that owns the list. (`ControlTests`)
      action(unsafeDowncast(target, to: T.self), unsafeDowncast(control, to: Self.self), event)
    }
  }
}

/// Every control: this protocol is there so that an action gets the control under the control's own type.
///
/// An action is a method of the target, or a closure that is given the target, so that it need not capture it. The target
/// is held weakly: when it goes, its actions go. Actions run in the order in which they were added.
///
/// **The same action again.** Adding the same action of the same target again doesn't make it run twice: the events are
/// merged, and it keeps its place. UIKit tells actions apart by their selector, which is a name. Swift has no selectors and
/// can't compare functions, so here too it is a name:
///
///     button.addTarget(form, action: Form.save, named: "save", for: .touchUpInside)
///     button.addTarget(form, action: Form.save, named: "save", for: .primaryActionTriggered)  // one action, two events
///     button.removeTarget(form, action: "save", for: .allEvents)
///
/// Without a name it is the place in the source code: a set-up that runs twice adds its actions once, two lines add two
/// actions. Of one name, the function that was given last is the one that runs; so give names where one line adds several
/// different closures for one target.
@MainActor
public protocol TargetActionSender: Control {}

extension TargetActionSender {
  /// Adds a method of the target that takes nothing, for instance `Form.save`.
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor () -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target)() }
  }

  /// Adds a method of the target that takes the control, for instance `Form.save(from:)`.
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor (Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target)(control) }
  }

  /// Adds a method of the target that takes the control and what happened to it.
  ///
  /// That is, the events which were sent and the action was added for.
  public func addTarget<T: AnyObject & Sendable>(
    _ target: T, action: @escaping @MainActor (T) -> @MainActor (Self, Control.Event) -> Void,
    named name: String? = nil, for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line,
    column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, event in action(target)(control, event) }
  }

  /// Adds a closure that is given the target.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target) }
  }

  /// Adds a closure that is given the target and the control.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target, control) }
  }

  /// Adds a closure that is given the target, the control, and what happened to it.
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping @MainActor (T, Self, Control.Event) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column, action)
  }

  // The three forms of a method once more, for targets that are bound to no actor and can't be sent between them: Swift
  // doesn't make a function of the main actor out of a method of theirs. Where both would do, the forms above are meant.

  /// Adds a method of the target that takes nothing, of a class that isn't bound to the main actor.
  @_disfavoredOverload
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping (T) -> () -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, _, _ in action(target)() }
  }

  /// Adds a method of the target that takes the control, of a class that isn't bound to the main actor.
  @_disfavoredOverload
  public func addTarget<T: AnyObject>(
    _ target: T, action: @escaping (T) -> (Self) -> Void, named name: String? = nil,
    for controlEvents: Control.Event, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, name, controlEvents, fileID, line, column) { target, control, _ in action(target)(control) }
  }

  /// Adds a method of the target that takes the control and what happened to it, of a class that isn't bound to the main
  /// actor.
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
      // Safety: the list passes the target that was added here, and the control that has the list. (`ControlTests`)
      action(unsafeDowncast(target, to: T.self), unsafeDowncast(control, to: Self.self), event)
    }
  }
}

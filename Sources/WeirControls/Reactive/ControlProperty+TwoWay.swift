import WeirDispatch
public import WeirRx

extension ControlProperty: TwoWayBindable {
  /// The current value; `nil` off the main actor, or after the control has been deallocated.
  public var currentValue: Value? {
    if !isOnMainActor() { return nil }
    return assumingMainActor(self) { property in property.value }
  }

  /// The changes by a person.
  public var changes: ControlEvent<Value> { changed }

  /// Runs the body on the main actor: immediately if the caller is there, otherwise after a hop.
  public func access(_ body: @escaping () -> Void) {
    // Safety: the caller transfers the body, and the main actor runs it once. (`TwoWayTests`)
    nonisolated(unsafe) let body = body
    onMainActor { body() }
  }
}

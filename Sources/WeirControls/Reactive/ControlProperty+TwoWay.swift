import WeirDispatch
public import WeirRx

extension ControlProperty: TwoWay {
  /// The current value, or `nil` when the control has gone, or off the main actor.
  public var currentValue: Value? {
    if !isOnMainActor() { return nil }
    return assumingMainActor(self) { property in property.value }
  }

  /// The changes that a person makes.
  public var changes: ControlEvent<Value> { changed }

  /// Runs the body on the main actor: at once when the caller is there, else as soon as it is free.
  public func access(_ body: @escaping () -> Void) {
    // Safety: the caller gives it away, and the main actor runs it once. (`TwoWayTests`)
    nonisolated(unsafe) let body = body
    onMainActor { body() }
  }
}

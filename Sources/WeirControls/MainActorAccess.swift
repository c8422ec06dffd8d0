import WeirDispatch

/// Runs a body on the main actor: at once when the caller is there, else as soon as it is free.
func onMainActor(_ body: @escaping @MainActor () -> Void) {
  if isOnMainActor() {
    MainActor.assumeIsolated(body)
  } else {
    Task { @MainActor in body() }
  }
}

/// Calls a function of the main actor from code that isn't bound to it but runs there.
func assumingMainActor<Input, Result>(_ input: Input, _ body: @MainActor (Input) -> Result) -> Result {
  // Safety: the caller is on the main actor, or this stops the program. Neither leaves it. (`ControlPropertyTests`)
  nonisolated(unsafe) let input = input
  return MainActor.assumeIsolated { Carried(value: body(input)) }.value
}

// Safety: only `assumingMainActor(_:_:)` makes one, and takes the value out on the same thread. (`ControlPropertyTests`)
/// Carries a value where only Sendable ones may go.
struct Carried<Value>: @unchecked Sendable {
  let value: Value
}

/// Stops the program when somebody subscribes off the main actor.
func requireMainActor(toSubscribeTo publisher: @autoclosure () -> String) {
  if isOnMainActor() { return }
  // Not `precondition`, which says nothing in an optimised build.
  fatalError(
    """
    \(publisher()) was subscribed to off the main actor. Controls belong to the main actor, and so does subscribing to \
    them. Subscribe in a function that is marked @MainActor, or put .subscribe(on: DispatchQueue.main) behind it.
    """)
}

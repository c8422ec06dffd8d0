import WeirDispatch

/// Runs a body on the main actor: immediately if the caller is there, otherwise after a hop.
func onMainActor(_ body: @escaping @MainActor () -> Void) {
  if isOnMainActor() {
    MainActor.assumeIsolated(body)
  } else {
    Task { @MainActor in body() }
  }
}

/// Calls a function of the main actor from nonisolated code that runs there.
func assumingMainActor<Input, Result>(_ input: Input, _ body: @MainActor (Input) -> Result) -> Result {
  // Safety: the caller is on the main actor, or this call stops the program. Neither value leaves the main actor.
  // (`ControlPropertyTests`)
  nonisolated(unsafe) let input = input
  return MainActor.assumeIsolated { Carried(value: body(input)) }.value
}

// Safety: only `assumingMainActor(_:_:)` creates one, and takes the value out on the same thread.
// (`ControlPropertyTests`)
/// Carries a value through an API that requires a `Sendable` one.
struct Carried<Value>: @unchecked Sendable {
  let value: Value
}

/// Stops the program if a subscriber attaches off the main actor.
func requireMainActor(toSubscribeTo publisher: @autoclosure () -> String) {
  if isOnMainActor() { return }
  // Not `precondition`, which prints no message in an optimized build.
  fatalError(
    """
    \(publisher()) was subscribed to off the main actor. Controls accept subscribers only there. Subscribe in a \
    function that is marked @MainActor, or put .subscribe(on: DispatchQueue.main) after the publisher.
    """)
}

import WeirDispatch

/// Runs a closure of the main actor with a value that a shared sequence has delivered on the main actor.
@inlinable
func runOnMainActor<Value>(_ value: Value, _ body: @MainActor (Value) -> Void) {
  requireMainActor()
  // Safety: the caller is on the main actor, and the value does not leave it. (`DriverTests`)
  nonisolated(unsafe) let value = value
  MainActor.assumeIsolated { body(value) }
}

/// Runs a closure of the main actor where a shared sequence delivers, which must be on the main actor.
@inlinable
func runOnMainActor(_ body: @MainActor () -> Void) {
  runOnMainActor(()) { body() }
}

@usableFromInline
func requireMainActor() {
  if isOnMainActor() { return }
  // Not `precondition`, which prints no message in an optimized build.
  fatalError(
    """
    A closure of drive, emit or do is isolated to the main actor, but would have run off it. Drivers and signals \
    deliver on the main actor, unless SharingScheduler.mock replaces their scheduler. Advance that scheduler on the \
    main actor, in a test that is marked @MainActor.
    """)
}

// Safety: its only property is a constant, which the caller gives away and only the scheduler calls. (`DispatchQueueTests`)
/// An action on its way to where a scheduler runs it.
///
/// `Scheduler` takes functions that need not be sendable, for that is how Combine has it. What makes it right is that the
/// caller gives the action away for the scheduler alone to call: whatever it shares with other threads is guarded there.
package struct Action: @unchecked Sendable {
  /// Runs the action.
  package let run: () -> Void

  /// Takes an action over.
  package init(run: @escaping () -> Void) {
    self.run = run
  }
}

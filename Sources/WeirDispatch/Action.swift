// Safety: its only property is a constant, which the caller transfers and only the scheduler calls.
// (`DispatchQueueTests`)
/// An action that a scheduler is to run.
///
/// `Scheduler` takes functions that need not be `Sendable`, as in Combine. This is safe because the caller transfers
/// the action, and only the scheduler calls it. State that the action shares with other threads must be synchronized.
package struct Action: @unchecked Sendable {
  /// Runs the action.
  package let run: () -> Void

  /// Wraps an action.
  package init(run: @escaping () -> Void) {
    self.run = run
  }
}

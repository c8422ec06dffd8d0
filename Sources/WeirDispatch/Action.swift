/// An action on its way to where a scheduler runs it.
///
/// `Scheduler` takes functions that need not be `Sendable`, as in Combine.
///
/// Safety: the caller gives the action to the scheduler, which alone calls it. (`DispatchQueueTests`)
package struct Action: @unchecked Sendable {
  /// Runs the action.
  package let run: () -> Void

  /// Takes an action over.
  package init(run: @escaping () -> Void) {
    self.run = run
  }
}

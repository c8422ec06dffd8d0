extension Future where Output: Sendable {
  /// Creates a future of the result of asynchronous work.
  ///
  ///     Future { try await download(url) }
  ///
  /// - Demand: the value is delivered at each subscriber's first request. A failure needs no demand.
  /// - Completion and cancellation: an error that the work throws is the failure. A cancellation does not stop the
  ///   work. The work begins now, and all subscribers receive its result, early or late. Use a `Deferred` to start the
  ///   work anew for each subscriber.
  /// - Threading: a task runs the work on the closure's actor (`{ @MainActor in … }`), or outside any actor if it has
  ///   none. The result is delivered outside any actor.
  public convenience init(
    priority: TaskPriority? = nil, _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) {
    self.init { _ in }
    // Any thread can fulfill a future.
    let future = self
    // Safety: it was sent here, and only the task uses it. (`FutureValueTests`)
    nonisolated(unsafe) let operation = operation
    Task(priority: priority) {
      do throws(Failure) {
        future.fulfill(.success(try await operation()))
      } catch {
        future.fulfill(.failure(error))
      }
    }
  }
}

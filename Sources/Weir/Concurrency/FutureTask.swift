extension Future where Output: Sendable {
  /// Makes a future of work that is awaited.
  ///
  ///     Future { try await download(url) }
  ///
  /// - Demand: the value is delivered at each subscriber's first request. A failure needs no demand.
  /// - Completion and cancellation: what the work throws is the failure. The work is not cancelled: it begins now, and
  ///   its result is for all subscribers, early or late. For work of each subscriber's own, put it into a `Deferred`.
  /// - Threading: a task does the work, where the closure says (`{ @MainActor in … }`) or outside of any actor; the
  ///   result is delivered outside of any actor.
  public convenience init(
    priority: TaskPriority? = nil, _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) {
    self.init { _ in }
    // A future may be fulfilled on any thread.
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

extension Future where Output: Sendable, Failure == any Error {
  /// Creates a future of the result of asynchronous work.
  ///
  ///     Future { try await download(url) }
  ///
  /// - Demand: the value is delivered at each subscriber's first request. A failure needs no demand.
  /// - Completion and cancellation: an error that the work throws is the failure. A cancellation does not stop the
  ///   work. The work begins now, and all subscribers receive its result, early or late. Use a `Deferred` to start the
  ///   work anew for each subscriber.
  /// - Threading: a task runs the work on the closure's actor, as `Task` does: the one that is written, as in
  ///   `{ @MainActor in … }`, otherwise that of the code around it, or none. The result is delivered outside any actor.
  public convenience init(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws -> Output
  ) {
    self.init { _ in }
    perform(operation, priority)
  }
}

extension Future where Output: Sendable, Failure == Never {
  /// Creates a future of the result of asynchronous work that can't fail.
  ///
  /// - Demand, completion and cancellation, threading: as with work that throws.
  public convenience init(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Output
  ) {
    self.init { _ in }
    perform(operation, priority)
  }
}

extension Future where Output: Sendable {
  /// Creates a future of the result of asynchronous work that throws errors of one type.
  ///
  /// The closure must spell the type of its errors, because the compiler doesn't infer it:
  ///
  ///     Future { () async throws(Offline) -> Int in try await download() }
  ///
  /// The compiler prefers the other two initializers where it can: it can't check regions through a conversion to the
  /// generic type of this one.
  ///
  /// - Demand, completion and cancellation, threading: as with work that throws any error.
  @_disfavoredOverload
  public convenience init(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) {
    self.init { _ in }
    perform(operation, priority)
  }

  private func perform(
    _ operation: sending @escaping @isolated(any) () async throws(Failure) -> Output, _ priority: TaskPriority?
  ) {
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

public import Weir

extension Publisher {
  /// Awaits the first value: `let answer = try await publisher.first`.
  ///
  /// This property throws the publisher's own failure. A publisher that can't fail needs no `try`.
  ///
  /// - Demand: one value.
  /// - Completion and cancellation: the value cancels the subscription. Returns `nil` if the publisher finishes first,
  ///   and throws if it fails first. Cancelling the task cancels the subscription immediately and returns `nil`.
  /// - Threading: demand is requested on the task's executor, and the task resumes there, whichever thread delivers.
  public nonisolated(nonsending) var first: Output? {
    get async throws(Failure) {
      try await prefix(1).onlyAwaited()
    }
  }

  /// Awaits the last value: `let total = try await publisher.last`.
  ///
  /// This property throws the publisher's own failure. A publisher that can't fail needs no `try`.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: returns at the finish, with `nil` if there was no value. Throws if the publisher
  ///   fails. Cancelling the task cancels the subscription immediately and returns `nil`.
  /// - Threading: demand is requested on the task's executor, and the task resumes there, whichever thread delivers.
  public nonisolated(nonsending) var last: Output? {
    get async throws(Failure) {
      try await last().onlyAwaited()
    }
  }

  /// Awaits the first `count` values: `let numbers = try await publisher.collect(first: 3)`.
  ///
  /// This method throws the publisher's own failure. A publisher that can't fail needs no `try`. Its name differs from
  /// the operator `collect(_:)`. If both had the same name, the compiler would always choose the asynchronous one, with
  /// or without `await`.
  ///
  /// - Demand: `count` values.
  /// - Completion and cancellation: the last value cancels the subscription. Returns fewer values if the publisher
  ///   finishes first, and throws if it fails first. Cancelling the task cancels the subscription immediately and
  ///   returns no values.
  /// - Threading: demand is requested on the task's executor, and the task resumes there, whichever thread delivers.
  ///
  /// - Parameter count: The number of values. If it is 0, there is no subscription.
  /// - Returns: The values in order; fewer if the publisher finishes first.
  /// - Throws: The publisher's failure.
  public nonisolated(nonsending) func collect(first count: Int) async throws(Failure) -> [Output] {
    if count < 0 { fatalError("collect(first:) requires a count of 0 or more, not \(count).") }
    return count == 0 ? [] : try await collect(count).prefix(1).onlyAwaited() ?? []
  }

  /// The only value, or `nil` at the finish.
  ///
  /// Used with `prefix(1)` rather than `first()`, which requests unlimited demand.
  private nonisolated(nonsending) func onlyAwaited() async throws(Failure) -> Output? {
    var iterator = values(buffering: .suspending(1)).makeAsyncIterator()
    return try await iterator.next()
  }
}

// The compiler crashes if a property throws `Never` through a generic parameter. Functions may do so.
extension Publisher where Failure == Never {
  /// Awaits the first value: `let answer = await publisher.first`.
  ///
  /// - Demand: one value.
  /// - Completion and cancellation: the value cancels the subscription. Returns `nil` if the publisher finishes first.
  ///   Cancelling the task cancels the subscription immediately and returns `nil`.
  /// - Threading: demand is requested on the task's executor, and the task resumes there, whichever thread delivers.
  public nonisolated(nonsending) var first: Output? {
    get async { await prefix(1).onlyAwaited() }
  }

  /// Awaits the last value: `let total = await publisher.last`.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: returns at the finish, with `nil` if there was no value. Cancelling the task
  ///   cancels the subscription immediately and returns `nil`.
  /// - Threading: demand is requested on the task's executor, and the task resumes there, whichever thread delivers.
  public nonisolated(nonsending) var last: Output? {
    get async { await last().onlyAwaited() }
  }
}

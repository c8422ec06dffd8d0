public import Weir

extension Publisher {
  /// The first value, awaited: `let answer = try await publisher.first`.
  ///
  /// It throws the publisher's own failure; that of one which can't fail needs no `try`.
  ///
  /// - Demand: one value.
  /// - Completion and cancellation: the value cancels the subscription; `nil` if there is none. A failure before it is
  ///   thrown. Cancelling the task cancels the subscription at once and gives `nil`.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers.
  public nonisolated(nonsending) var first: Output? {
    get async throws(Failure) {
      try await prefix(1).onlyAwaited()
    }
  }

  /// The last value, awaited: `let total = try await publisher.last`.
  ///
  /// It throws the publisher's own failure; that of one which can't fail needs no `try`.
  ///
  /// - Demand: everything.
  /// - Completion and cancellation: comes with the end; `nil` if there was no value. A failure is thrown. Cancelling the
  ///   task cancels the subscription at once and gives `nil`.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers.
  public nonisolated(nonsending) var last: Output? {
    get async throws(Failure) {
      try await last().onlyAwaited()
    }
  }

  /// The first so many values, awaited: `let numbers = try await publisher.collect(first: 3)`.
  ///
  /// It throws the publisher's own failure; that of one which can't fail needs no `try`. The operator `collect(_:)` is
  /// called by another name, because where both can be called the compiler takes the one that is awaited, whether `await`
  /// is there or not.
  ///
  /// - Demand: so many values.
  /// - Completion and cancellation: the last of them cancels the subscription; fewer if the publisher finishes before. A
  ///   failure before is thrown. Cancelling the task cancels the subscription at once and gives no values.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers.
  ///
  /// - Parameter count: how many; of none the publisher isn't asked.
  /// - Returns: the values, in their order; fewer if the publisher finishes before.
  /// - Throws: the publisher's failure.
  public nonisolated(nonsending) func collect(first count: Int) async throws(Failure) -> [Output] {
    if count < 0 { fatalError("There is no collecting the first \(count) values: give a count of 0 or more.") }
    return count == 0 ? [] : try await collect(count).prefix(1).onlyAwaited() ?? []
  }

  /// The only value, or nothing at the end.
  ///
  /// Of `prefix(1)` rather than `first()`, which asks for everything.
  private nonisolated(nonsending) func onlyAwaited() async throws(Failure) -> Output? {
    var iterator = values(buffering: .suspending(1)).makeAsyncIterator()
    return try await iterator.next()
  }
}

// The compiler crashes where a property throws `Never` by way of a generic parameter; functions may.
extension Publisher where Failure == Never {
  /// The first value, awaited: `let answer = await publisher.first`.
  ///
  /// - Demand: one value.
  /// - Completion and cancellation: the value cancels the subscription; `nil` if there is none. Cancelling the task
  ///   cancels the subscription at once and gives `nil`.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers.
  public nonisolated(nonsending) var first: Output? {
    get async { await prefix(1).onlyAwaited() }
  }

  /// The last value, awaited: `let total = await publisher.last`.
  ///
  /// - Demand: everything.
  /// - Completion and cancellation: comes with the end; `nil` if there was no value. Cancelling the task cancels the
  ///   subscription at once and gives `nil`.
  /// - Threading: the publisher is asked where the task is, and the task goes on there, whichever thread delivers.
  public nonisolated(nonsending) var last: Output? {
    get async { await last().onlyAwaited() }
  }
}

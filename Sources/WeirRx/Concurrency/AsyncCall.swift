public import Weir

// Safety: all mutable state is behind the lock. (`AsyncMapThreadTests`, `Threads/async-map`)
/// One call of an asynchronous closure, as the subscription to its result.
///
/// Invariant: only the code that takes `answer` out of the state terminates the call. So the result of a cancelled call
/// is discarded, and a cancelled call that is still running retains no subscriber.
@usableFromInline
final class AsyncCall<Value: Sendable, Output, Failure: Error>: Subscription, @unchecked Sendable {
  @usableFromInline
  typealias Transform = @Sendable @isolated(any) (Value) async throws(Failure) -> sending Output

  private struct State {
    /// `nil` after termination.
    var answer: ((Result<Output, Failure>) -> Void)?
    var task: Task<Void, Never>?
  }

  private let state: Locked<State>

  @usableFromInline
  init(answer: @escaping (Result<Output, Failure>) -> Void) {
    state = Locked(State(answer: answer))
  }

  /// Starts the call in a task, unless the subscription has terminated.
  @usableFromInline
  func begin(_ transform: @escaping Transform, _ value: Value) {
    guard isWanted else { return }
    let task = Task { await call(transform, value, isolation: transform.isolation) }
    let isTerminated = state.withLock { state in
      if state.answer != nil { state.task = task }
      return state.answer == nil
    }
    if isTerminated { task.cancel() }
  }

  private func call(_ transform: Transform, _ value: Value, isolation: isolated (any Actor)?) async {
    // Checked again on the closure's actor: a call that was cancelled before it starts doesn't run.
    guard isWanted else { return }
    let result: Result<Output, Failure>
    do throws(Failure) {
      result = .success(try await transform(value))
    } catch {
      result = .failure(error)
    }
    take().answer?(result)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {
    take().task?.cancel()
  }

  private var isWanted: Bool {
    state.withLock { $0.answer != nil }
  }

  private func take() -> State {
    state.withLock { state in
      let taken = state
      state = State()
      return taken
    }
  }
}

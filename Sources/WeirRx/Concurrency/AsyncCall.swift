public import Weir

// Safety: all of its state is behind the lock. (`AsyncMapThreadTests`)
/// One call of an asynchronous closure, as the subscription to its result.
///
/// Whoever takes `answer` out of the state ends it, and nobody else: so what comes of a call that was cancelled goes
/// nowhere, and the call, which may go on for a while, keeps nothing alive.
@usableFromInline
final class AsyncCall<Value: Sendable, Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
  @usableFromInline
  typealias Transform = @Sendable @isolated(any) (Value) async throws(Failure) -> Output

  private struct State {
    /// Nothing once it is over.
    var answer: ((Result<Output, Failure>) -> Void)?
    var task: Task<Void, Never>?
  }

  private let state: Locked<State>

  @usableFromInline
  init(answer: @escaping (Result<Output, Failure>) -> Void) {
    state = Locked(State(answer: answer))
  }

  /// Makes the call in a task, unless it is over by now.
  @usableFromInline
  func begin(_ transform: @escaping Transform, _ value: Value) {
    guard isWanted else { return }
    let task = Task { await call(transform, value, isolation: transform.isolation) }
    let isOver = state.withLock { state in
      if state.answer != nil { state.task = task }
      return state.answer == nil
    }
    if isOver { task.cancel() }
  }

  private func call(_ transform: Transform, _ value: Value, isolation: isolated (any Actor)?) async {
    // Asked where the call is made: on its actor, who has left before it begins is not called for.
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

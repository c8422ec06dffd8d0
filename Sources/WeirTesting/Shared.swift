import Weir

/// State behind a lock that several objects share.
final class Shared<State>: @unchecked Sendable {  // `Locked` is the only way to the state.
  private let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock(body)
  }
}

import Weir

// Safety: the lock is the only way to the state. (`ThreadTests`)
/// State behind a lock that several objects share.
final class Shared<State>: @unchecked Sendable {
  private let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock(body)
  }
}

import Weir

/// An object whose deallocation a test can observe: capture or send it, and check whether it is alive.
final class Token: Equatable, @unchecked Sendable {  // It has no state.
  deinit { userRelease("the deinit of what a closure captured") }

  static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
}

/// Runs a body with a token, and returns whether the token has been deallocated after the body has returned.
func isReleased(_ body: (Token) throws -> Void) rethrows -> Bool {
  weak var remains: Token?
  do {
    let token = Token()
    remains = token
    try body(token)
  }
  return remains == nil
}

/// Keeps a value alive while a test checks its owner.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The terminations of a subscription after one value.
enum Ending: CaseIterable {
  case finish, failure, cancel

  func happen<Failure>(to subject: PassthroughSubject<Int, TestError>, _ recorder: Recorder<some Any, Failure>) {
    subject.send(1)
    switch self {
    case .finish: subject.send(completion: .finished)
    case .failure: subject.send(completion: .failure(.oops))
    case .cancel: recorder.cancel()
    }
  }
}

/// A value that runs a closure in its `deinit`.
final class LastWords: @unchecked Sendable {  // One thread at a time uses it.
  let number: Int
  var onDeinit: () -> Void

  init(_ number: Int = 0, onDeinit: @escaping () -> Void = {}) {
    self.number = number
    self.onDeinit = onDeinit
  }

  deinit {
    userRelease("the deinit of a value")
    onDeinit()
  }
}

import Weir

/// An object whose end can be seen: capture it, or send it, and ask whether it is still there.
final class Token: Equatable, @unchecked Sendable {  // It has no state.
  deinit { userRelease("the deinit of what a closure captured") }

  static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
}

/// Runs a body with a token and tells whether the token is gone when the body has returned and all it made is dropped.
func isReleased(_ body: (Token) throws -> Void) rethrows -> Bool {
  weak var remains: Token?
  do {
    let token = Token()
    remains = token
    try body(token)
  }
  return remains == nil
}

/// Keeps something alive while what is to let go of it is looked at.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The ways in which a subscription ends, after one value.
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

/// A value that does something when the last reference to it goes.
final class LastWords: @unchecked Sendable {  // Tests hand it from thread to thread, one at a time.
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

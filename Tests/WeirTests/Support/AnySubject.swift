import Weir

@testable import TestSupport

/// The two subjects, for what holds for both.
enum SubjectKind: CaseIterable {
  case passthrough, currentValue

  /// A subject whose values are sent after its first, if it has one.
  func make<Output>(_ first: Output) -> any Subject<Output, TestError> {
    switch self {
    case .passthrough: PassthroughSubject<Output, TestError>()
    case .currentValue: CurrentValueSubject<Output, TestError>(first)
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

  deinit { onDeinit() }
}

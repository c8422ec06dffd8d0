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

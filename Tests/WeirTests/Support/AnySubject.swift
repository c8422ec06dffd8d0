import Weir

@testable import TestSupport

/// The two subjects, for their common behavior.
enum SubjectKind: CaseIterable {
  case passthrough, currentValue

  /// Creates a subject, with its first value if it has one.
  func make<Output>(_ first: Output) -> any Subject<Output, TestError> {
    switch self {
    case .passthrough: PassthroughSubject<Output, TestError>()
    case .currentValue: CurrentValueSubject<Output, TestError>(first)
    }
  }
}

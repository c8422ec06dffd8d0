#if !WEIR_BARE
import Foundation

// The common part of the strides of run loops and operation queues. They are separate types because Combine's are:
// users extend either of them.

extension TimeInterval {
  /// This interval, or zero if infinities of opposite signs produced NaN.
  var settled: TimeInterval { isNaN ? 0 : self }

  /// This interval; stops the program if it is NaN.
  var checked: TimeInterval {
    if isNaN { fatalError("A scheduler stride must not be NaN.") }
    return self
  }
}

extension Date {
  /// The seconds from this date to another; infinite from this to a date that stands for never.
  func seconds(to other: Date) -> TimeInterval {
    (other.timeIntervalSinceReferenceDate - timeIntervalSinceReferenceDate).settled
  }

  /// The date that is later by this many seconds.
  func later(by seconds: TimeInterval) -> Date {
    Date(timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate + seconds).settled)
  }

  /// Whether the date is so distant that a timer would only retain its action.
  var isNever: Bool { self >= .distantFuture }
}
#endif

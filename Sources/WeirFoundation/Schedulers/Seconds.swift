import Foundation

// What the strides of run loops and of operation queues have in common. The two are types of their own because Combine's
// are: people extend the one or the other.

extension TimeInterval {
  /// This, or nothing where an infinite number of seconds met its opposite: no arithmetic of times leads to NaN.
  var settled: TimeInterval { isNaN ? 0 : self }

  /// This, after making sure that it is a number.
  var checked: TimeInterval {
    if isNaN { fatalError("A stride of NaN seconds leads nowhere: give a number of seconds.") }
    return self
  }
}

extension Date {
  /// The seconds from here to another date; infinite between this and a date that never comes.
  func seconds(to other: Date) -> TimeInterval {
    (other.timeIntervalSinceReferenceDate - timeIntervalSinceReferenceDate).settled
  }

  /// The date that is so many seconds later.
  func later(by seconds: TimeInterval) -> Date {
    Date(timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate + seconds).settled)
  }

  /// Whether nobody will live to see it: a timer would only keep its action.
  var isNever: Bool { self >= .distantFuture }
}

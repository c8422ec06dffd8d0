/// A subscriber or subscription that shows up in logs and mirrors under its operator's name.
///
/// People and test suites compare these names, so they are Combine's.
@usableFromInline
protocol Described: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {}

extension Described {
  @usableFromInline
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

  @usableFromInline
  var playgroundDescription: Any { description }
}

/// Stops the program with a message unless a rule is kept.
///
/// Unlike `precondition` it says so in an optimised build, too.
@inlinable
@inline(__always)
package func require(_ isKept: Bool, _ message: StaticString) {
  if !isKept { fatalError("\(message)") }
}

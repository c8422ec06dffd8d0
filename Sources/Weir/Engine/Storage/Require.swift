/// Stops the program with a message unless a condition holds.
///
/// Unlike `precondition` it also prints the message in an optimized build.
@inlinable
@inline(__always)
package func require(_ isKept: Bool, _ message: StaticString) {
  if !isKept { fatalError("\(message)") }
}

import Synchronization

/// A publisher that records where it was assembled.
@usableFromInline
package protocol AssemblyTraced {
  /// The place where it was assembled.
  var assemblySite: AssemblySite { get }
}

/// The place where an operator was assembled: the number of a ``AssemblySites`` entry, or 0 if it was not recorded.
///
/// It is stored in each operator, but does not affect equality: all places are equal.
@usableFromInline
@frozen
package struct AssemblySite: Sendable, Equatable {
  @usableFromInline
  package let number: UInt32

  /// Records the caller's place.
  ///
  /// Performance: not inlinable. A client would call a function for the address of the flag, so it saves no call.
  @usableFromInline
  package init() {
    number = AssemblySites.isRecording.load(ordering: .relaxed) ? AssemblySites.here() : 0
  }

  init(number: UInt32) {
    self.number = number
  }

  @inlinable
  package static func == (lhs: AssemblySite, rhs: AssemblySite) -> Bool { true }
}

public import Synchronization

/// A publisher that remembers where it was assembled.
@usableFromInline
package protocol Assembled {
  /// Where that was.
  var place: Place { get }
}

/// Where an operator was assembled, if that is remembered: the number of a ``CallSites`` entry, 0 for none.
///
/// It is a part of each operator and no part of what the operator is: all places are equal.
@usableFromInline
@frozen
package struct Place: Sendable, Equatable {
  @usableFromInline
  package let number: UInt32

  /// Here.
  @inlinable
  @inline(__always)
  package init() {
    number = CallSites.areKept.load(ordering: .relaxed) ? CallSites.here() : 0
  }

  init(number: UInt32) {
    self.number = number
  }

  @inlinable
  package static func == (lhs: Place, rhs: Place) -> Bool { true }
}

public import Synchronization

/// A phase that several threads access.
///
/// It is stored as a number. An `Atomic` of the enumeration itself would check at each access that the
/// number is one of its cases.
@usableFromInline
package struct AtomicPhase<Phase: RawRepresentable<UInt8>>: ~Copyable {
  @usableFromInline
  let number: Atomic<UInt8>

  @inlinable
  @_transparent
  package init(_ phase: Phase) {
    number = Atomic(phase.rawValue)
  }

  @inlinable
  @_transparent
  package borrowing func isNow(_ phase: Phase) -> Bool {
    number.load(ordering: .relaxed) == phase.rawValue
  }

  /// Whether it is in this phase or in one before it, by number.
  @inlinable
  @_transparent
  package borrowing func isUpTo(_ phase: Phase) -> Bool {
    number.load(ordering: .relaxed) <= phase.rawValue
  }

  @inlinable
  package var now: Phase? { Phase(rawValue: number.load(ordering: .relaxed)) }

  @inlinable
  @_transparent
  package borrowing func move(to phase: Phase) {
    number.store(phase.rawValue, ordering: .releasing)
  }
}

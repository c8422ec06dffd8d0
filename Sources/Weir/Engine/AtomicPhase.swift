public import Synchronization

/// A phase that several threads look at.
///
/// It is kept as its number: an `Atomic` of the enumeration itself would check each time that the number is one of its
/// cases.
@usableFromInline
struct AtomicPhase<Phase: RawRepresentable<UInt8>>: ~Copyable {
  @usableFromInline
  let number: Atomic<UInt8>

  @inlinable
  init(_ phase: Phase) {
    number = Atomic(phase.rawValue)
  }

  @inlinable
  @inline(__always)
  borrowing func isNow(_ phase: Phase) -> Bool {
    number.load(ordering: .relaxed) == phase.rawValue
  }

  @usableFromInline
  var now: Phase? { Phase(rawValue: number.load(ordering: .relaxed)) }

  @inlinable
  @inline(__always)
  borrowing func move(to phase: Phase) {
    number.store(phase.rawValue, ordering: .releasing)
  }
}

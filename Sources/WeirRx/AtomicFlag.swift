public import Synchronization

/// A flag that several threads can raise; only one of them finds it lowered.
@usableFromInline
final class AtomicFlag: Sendable {
  @usableFromInline
  let isRaised = Atomic<Bool>(false)

  @inlinable
  init() {}

  /// Raises the flag; returns `false` if it was already raised.
  @inlinable
  func raise() -> Bool {
    !isRaised.exchange(true, ordering: .acquiringAndReleasing)
  }

  @inlinable
  func lower() {
    isRaised.store(false, ordering: .releasing)
  }
}

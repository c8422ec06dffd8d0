/// A subscriber that can't be copied, so that a delivery borrows it: otherwise it would be retained for each value.
///
/// Whoever keeps one lets go of it only when no delivery is under way.
@usableFromInline
struct Held<Downstream: Subscriber>: ~Copyable {
  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) {
    self.downstream = downstream
  }

  @inlinable
  @inline(__always)
  borrowing func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    assertNoLockIsHeld()
    return downstream.receive(value)
  }
}

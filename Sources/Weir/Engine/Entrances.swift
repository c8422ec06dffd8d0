// What the other modules of this package build on: the mechanisms themselves stay out of their sight.
extension Publisher {
  /// Attaches a downstream behind a buffer.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, behind buffer: BufferMachine<Output, Failure>, named name: StaticString
  ) {
    Coordinator(name, buffer, downstream: downstream).attach(to: self)
  }

  /// Attaches a downstream that gets a subscription of this name, and whose cancel is told first.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, named name: StaticString, onCancel: @escaping () -> Void
  ) {
    attach(Downstream(Resubscribed(TapSubscription(name, onCancel: onCancel), downstream: downstream)))
  }

  /// Attaches a downstream, and does it again after each end for which `goesOn` says so.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, named name: StaticString,
    goesOn: @escaping (Subscribers.Completion<Failure>) -> Bool
  ) {
    Rounds(self, relay: Relay(name, downstream: downstream), goesOn: goesOn).begin()
  }
}

/// A publisher that pairs values, and can be told how far ahead it asks.
package protocol PrefetchingJoin: Publisher {
  func attach(_ downstream: Downstream<Output, Failure>, prefetch: Int?)
}

extension Publishers.Zip: PrefetchingJoin {}
extension Publishers.Zip3: PrefetchingJoin {}
extension Publishers.Zip4: PrefetchingJoin {}

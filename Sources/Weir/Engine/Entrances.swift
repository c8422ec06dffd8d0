// What the other modules of this package build on: the mechanisms themselves stay out of their sight.
extension Publisher {
  /// Attaches a subscriber behind a buffer.
  @inlinable
  @inline(__always)
  package func subscribe<S: Subscriber>(
    _ subscriber: S, behind buffer: BufferMachine<Output, Failure>, named name: StaticString
  ) where S.Input == Output, S.Failure == Failure {
    let coordinator = Coordinator(name, buffer, downstream: subscriber)
    subscribe(Inlet(Plain<Output>.self, coordinator, number: 0))
  }

  /// Attaches a subscriber that gets a subscription of this name, and whose cancel is told first.
  @inlinable
  @inline(__always)
  package func subscribe<S: Subscriber>(
    _ subscriber: S, named name: StaticString, onCancel: @escaping () -> Void
  ) where S.Input == Output, S.Failure == Failure {
    subscribe(Resubscribed(TapSubscription(name, onCancel: onCancel), downstream: subscriber))
  }
}

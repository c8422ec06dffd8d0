/// A subject, and the connection of an upstream to it, which lasts while the subject has subscribers.
///
/// Performance: it is not generic over the upstream, so it is compiled once for each type of values. It replaces a subscription
/// once, where `multicast` and `autoconnect` each do so.
@usableFromInline
final class SharedUpstream<Output, Failure: Error> {
  @usableFromInline
  let subject = PassthroughSubject<Output, Failure>()

  @usableFromInline
  let sharing = Sharing()

  @usableFromInline
  let connect: (PassthroughSubject<Output, Failure>) -> any Cancellable

  @inlinable
  init(connect: @escaping (PassthroughSubject<Output, Failure>) -> any Cancellable) {
    self.connect = connect
  }

  @inlinable
  @inline(never)
  func attach(_ downstream: Downstream<Output, Failure>) {
    let generation = sharing.arrived()
    let subscription = TapSubscription("Multicast", onCancel: { [sharing] in sharing.left() })
    subject.attach(downstream.resubscribed(with: subscription, returnsDemand: false))
    if let generation { sharing.keep(connect(subject), of: generation) }
  }
}

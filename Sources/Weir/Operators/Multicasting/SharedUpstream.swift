/// A subject, and the connection of an upstream to it, which lasts while the subject has subscribers.
///
/// Performance: it is not generic over the upstream, so it is compiled once for each type of values. It replaces a
/// subscription once, where `multicast` and `autoconnect` each do so.
@usableFromInline
final class SharedUpstream<Output, Failure: Error> {
  @usableFromInline
  let subject = PassthroughSubject<Output, Failure>()

  @usableFromInline
  let sharing = Sharing()

  @usableFromInline
  let connect: (PassthroughSubject<Output, Failure>, (any Cancellable) -> Void) -> Void

  @inlinable
  init(connect: @escaping (PassthroughSubject<Output, Failure>, (any Cancellable) -> Void) -> Void) {
    self.connect = connect
  }

  @inlinable
  @inline(never)
  func attach(_ downstream: consuming Downstream<Output, Failure>) {
    let connection = sharing.arrived()
    subject.attach(downstream.member(named: "Multicast", isToConnect: true, onCancel: sharing.departure))
    if let connection { connect(subject) { sharing.keep($0, as: connection) } }
  }
}

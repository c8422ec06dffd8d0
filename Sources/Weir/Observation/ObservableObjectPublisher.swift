/// A publisher that announces a change of an object, without describing the change.
///
///     number =                -1  -2  -3
///     model.objectWillChange  -'!'-'!'-'!'
///
/// - Demand: as in Combine, the first request of a subscriber requests all further signals.
/// - Completion and cancellation: it never completes. A subscription retains neither the object nor this publisher.
///   When this publisher is deallocated, it releases its subscribers.
/// - Threading: delivers on the thread that calls ``send()``. A thread that calls it during a delivery enqueues its
///   signal for the delivering thread.
public final class ObservableObjectPublisher: _DirectPublisher {
  /// `Void`, because a signal has no content.
  public typealias Output = Void

  /// This publisher never fails.
  public typealias Failure = Never

  @usableFromInline
  let hub: Multicaster<Void, Never>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a publisher without subscribers.
  public init() {
    hub = Multicaster("ObservableObjectPublisher")
  }

  deinit {
    hub.post { [hub] in hub.removeAllMembers() }
  }

  /// Attaches a downstream, which receives the signals that are sent from now on.
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    hub.attach(downstream.replacingSubscription { SignalSubscription(member: $0) })
  }

  /// Sends a signal to the subscribers that have demand.
  public func send() {
    hub.send(())
  }
}

/// A subscription whose first request requests all signals.
private struct SignalSubscription: Subscription, CustomStringConvertible {
  let member: any Subscription

  var combineIdentifier: CombineIdentifier { member.combineIdentifier }

  var description: String { String(describing: member) }

  func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    member.request(.unlimited)
  }

  func cancel() { member.cancel() }

  func _outermostGate(of thread: UInt) -> _Gated? { member._outermostGate(of: thread) }
}

// Safety: its only mutable state is that of its hub, which only the owner of the gate accesses.
// (`ObservationThreadTests`)
extension ObservableObjectPublisher: @unchecked Sendable {}

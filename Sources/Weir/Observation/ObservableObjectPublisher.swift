/// A publisher that tells that an object is about to change, without saying how.
///
///     number =                -1  -2  -3
///     model.objectWillChange  -'!'-'!'-'!'
///
/// - Demand: as in Combine, a subscriber that has requested anything gets all signals from then on.
/// - Completion and cancellation: it never ends. A subscription keeps neither the object nor this publisher,
///   which lets go of its subscribers when it goes.
/// - Threading: delivers on the thread that calls ``send()``; one that comes meanwhile leaves its signal there.
public final class ObservableObjectPublisher: _DirectPublisher {
  /// What is published: that something changes.
  public typealias Output = Void

  /// This publisher never fails.
  public typealias Failure = Never

  @usableFromInline
  let hub: Multicaster<Void, Never>

  @usableFromInline
  package let place = Place()

  /// Makes a publisher without subscribers.
  public init() {
    hub = Multicaster("ObservableObjectPublisher")
  }

  deinit {
    hub.post { [hub] in hub.dissolve() }
  }

  /// Attaches a downstream, which gets the signals that are sent from now on.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    hub.attach(downstream.replacingSubscription { SignalSubscription(member: $0) })
  }

  /// Sends a signal to the subscribers that have requested any.
  public func send() {
    hub.send(())
  }
}

/// Requests all signals in place of some.
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

// Safety: its only mutable state is that of its hub, which only the owner of the gate accesses. (`ObservationThreadTests`)
extension ObservableObjectPublisher: @unchecked Sendable {}

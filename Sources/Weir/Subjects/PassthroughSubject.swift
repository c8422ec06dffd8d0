/// A subject that forwards values and stores none.
///
///     send                              -1-2-3-4-|
///     demand                            2-----1
///     PassthroughSubject<Int, Never>()  -1-2---4-|
///     later                             ----^3-4-|
///
/// - Demand: each subscriber has its own. A value that is sent while a subscriber has no demand is dropped for it; use
///   `buffer` to keep such values.
/// - Completion and cancellation: see ``Subject``. A cancellation takes constant time, whatever the number of
///   subscribers.
/// - Threading: see ``Subject``.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    hub = Multicaster("PassthroughSubject")
  }

  /// Creates a subject whose subscriptions have another description.
  @inlinable
  package init(named name: StaticString) {
    hub = Multicaster(name)
  }

  /// Attaches a downstream, which receives the values that are sent from now on.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    hub.attach(downstream, of: self)
  }

  /// Sends a value to the subscribers that have demand.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Sends the completion; later values and completions are ignored.
  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  /// Stores an upstream's subscription, and requests unlimited values at the first request of a subscriber.
  public func send(subscription: any Subscription) {
    hub.receive(upstream: subscription)
  }

  /// Releases all subscribers without a completion, because no sender remains.
  package func removeAllMembers() {
    hub.post { [hub] in hub.removeAllMembers() }
  }
}

// Safety: only the owner of the gate accesses the hub. A value can be delivered on another thread, so it must be
// `Sendable`. (`SubjectThreadTests`, `Threads/subject`)
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}

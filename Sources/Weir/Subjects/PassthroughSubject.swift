/// A subject that passes values on and keeps none.
///
///     send                              -1-2-3-4-|
///     demand                            2-----1
///     PassthroughSubject<Int, Never>()  -1-2---4-|
///     later                             ----^3-4-|
///
/// - Demand: each subscriber's own. A value that comes while a subscriber has no demand is lost to it; `buffer` keeps it.
/// - Completion and cancellation: see ``Subject``. Cancelling takes the same time however many subscribers there are.
/// - Threading: see ``Subject``.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline
  let hub: Multicaster<Output, Failure>

  @usableFromInline
  package let place = Place()

  /// Makes a subject without subscribers.
  @inlinable
  public init() {
    hub = Multicaster("PassthroughSubject")
  }

  /// Creates a subject whose subscriptions have another description.
  @inlinable
  package init(named name: StaticString) {
    hub = Multicaster(name)
  }

  /// Attaches a downstream, which gets what is sent from now on.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
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

  /// Takes an upstream's subscription, and asks it for everything as soon as a subscriber asks for anything.
  public func send(subscription: any Subscription) {
    hub.receive(upstream: subscription)
  }

  /// Releases all subscribers without a completion, because nothing is left that sends.
  package func dissolve() {
    hub.post { [hub] in hub.dissolve() }
  }
}

// Safety: only the owner of the gate accesses the hub. What is sent may reach
// another thread, so it must be `Sendable`. (`SubjectThreadTests`, `Threads/subject`)
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}

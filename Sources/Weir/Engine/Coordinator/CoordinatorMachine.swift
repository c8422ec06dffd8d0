/// An event that is enqueued for a coordinator whose gate is taken.
///
/// Performance: it doesn't depend on the type of values. So events are enqueued and drained by code that is compiled
/// once.
@usableFromInline
@frozen
package enum CoordinatorEvent {
  /// The upstream with this number has sent its subscription.
  case subscribed(Int, SubscriptionObject)
  /// An upstream has sent a value, which this function passes to the machine.
  case value(() -> Void, keeping: PendingValues)
  /// The upstream has completed.
  case completed(Int, AnyCompletion)
  /// A signal that arrived while the gate was taken.
  case enqueuedSignal(Int)
  /// A request to the upstream with this number has returned; the coordinator handles this event and the next itself.
  case requestReturned(Int)
  /// Demand that was returned for values whose senders had left is to be requested.
  case request(UpstreamRequest)
}

/// Which values of an upstream are kept for the owner of the gate, if they follow each other directly.
///
/// So any number of them takes no more memory than one. The machine would drop the others.
@usableFromInline
package enum PendingValues: UInt8 {
  case all, first, last
}

/// An action that a machine returns.
///
/// The coordinator performs it without a lock.
@usableFromInline
@frozen
package enum CoordinatorAction<Output, Effect> {
  /// Nothing: the machine is at rest.
  case nothing
  /// Deliver the subscription to the downstream.
  case announce
  /// Deliver a value to the downstream; the returned demand is passed to the machine.
  case deliver(Output)
  /// Deliver the completion; after it, only subscriptions that arrive late are cancelled.
  case complete(AnyCompletion)
  /// Cancel an upstream.
  case cancel(SubscriptionObject)
  /// Request values from an upstream.
  case request(UpstreamRequest)
  /// An operator-specific action.
  case effect(Effect)
}

/// A request to an upstream of a coordinator.
@usableFromInline
@frozen
package struct UpstreamRequest {
  @usableFromInline
  package let number: Int

  @usableFromInline
  package let upstream: SubscriptionObject

  @usableFromInline
  package let demand: Subscribers.Demand

  @inlinable
  package init(_ number: Int, _ upstream: SubscriptionObject, _ demand: Subscribers.Demand) {
    self.number = number
    self.upstream = upstream
    self.demand = demand
  }
}

/// What follows from a value that a machine has received at rest.
@usableFromInline
@frozen
package enum ValueOutcome<Output> {
  /// Nothing.
  case nothing
  /// This output is delivered, and nothing else follows, unless the downstream requests values or cancels.
  case deliver(Output)
  /// This output is delivered, and ``CoordinatorMachine/takeDemandToReturn()`` is returned to the value's sender.
  ///
  /// Nothing else follows, unless something happens during the delivery: then ``CoordinatorMachine/next()`` decides.
  case deliverAndReturn(Output)
  /// This output is delivered, and then ``CoordinatorMachine/next()`` decides.
  case deliverFirst(Output)
  /// ``CoordinatorMachine/next()`` decides.
  case undecided
}

/// What follows from another event.
///
/// It can't be an output, because an event can also arrive during a delivery, or be drained from the inbox.
@usableFromInline
@frozen
package enum EventOutcome {
  /// Nothing.
  case nothing
  /// This demand is requested from the upstream, and nothing else follows; only `subscribed(to:_:)` returns it.
  case request(Subscribers.Demand)
  /// ``CoordinatorMachine/next()`` decides.
  case undecided
}

/// The decisions of an operator with several sources of events: a value with explicit states and no side effects.
///
/// Each method for an event returns what follows from it. If that isn't simple, the method records the event and
/// returns `.undecided`: the coordinator then calls ``next()`` until it returns `.nothing`, and performs the actions.
/// The machine is at rest after that. So each decision stands at one place.
@usableFromInline
package protocol CoordinatorMachine<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Effect = Never

  typealias Action = CoordinatorAction<Output, Effect>

  /// The upstream with this number has sent its subscription.
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome

  /// The upstream has sent a value.
  mutating func receive(_ input: Input, from number: Int) -> ValueOutcome<Output>

  /// The upstream has completed.
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome

  /// An event of the operator itself, such as a timer that is due or an upstream that is about to be subscribed to.
  mutating func signal(_ number: Int) -> EventOutcome

  /// A signal that arrived while the gate was taken.
  ///
  /// The owner calls this method, so it runs on the owner's thread.
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome

  /// The downstream has requested values; ``next()`` decides what follows.
  mutating func requested(_ demand: Subscribers.Demand)

  /// Handles a cancellation: drops all values; ``next()`` then returns the upstreams to cancel.
  mutating func cancelled()

  /// Returns the next action, or `.nothing` if the machine is at rest.
  mutating func next() -> Action

  // The methods below are optional.

  /// Returns the demand that ``subscribed(to:_:)`` returns at least, unless it cancels the upstream with this number.
  ///
  /// It depends only on whether the downstream has requested unlimited values.
  static func firstDemand(for number: Int, isUnlimited: Bool) -> Subscribers.Demand

  /// Whether the machine requests values for which the downstream has no demand yet.
  ///
  /// It then receives finite demand one by one, when ``awaitsDemand()`` returns true.
  static var requestsAhead: Bool { get }

  /// Whether a value waits for demand.
  mutating func awaitsDemand() -> Bool

  /// The number of the upstream to which the coordinator's ``PendingValues`` apply.
  static var mergedUpstream: Int { get }

  /// The value that is received next has been answered with a demand of one, which must not be requested again.
  mutating func answered(_ number: Int)

  /// Removes and returns the demand for the sender of the value, after a `.deliverAndReturn`.
  mutating func takeDemandToReturn() -> Subscribers.Demand

  /// Receives the value of a scalar upstream; returns `.nothing` if the publisher must be subscribed to instead.
  mutating func receive(scalar input: Input, from number: Int) -> ValueOutcome<Output>

  /// Whether the machine handles what an opened publisher sends without a request, because there is unlimited demand.
  ///
  /// Performance: mutating, because unspecialized code copies the machine for a getter that isn't.
  var takesScalars: Bool { mutating get }

  /// Whether the upstream with this number may not have completed; a machine that takes scalars or buffers knows.
  mutating func maySend(_ number: Int) -> Bool

  /// Returns the children of the coordinator's mirror.
  func mirrorChildren(downstream: Any?) -> [Mirror.Child]

  /// Returns the outermost gate above this machine that this thread has entered, for the upstream with this number.
  func outermostGate(of thread: UInt, from number: Int) -> _Gated?
}

extension CoordinatorMachine {
  @inlinable
  package mutating func signal(_ number: Int) -> EventOutcome { .nothing }

  @inlinable
  package mutating func enqueuedSignal(_ number: Int) -> EventOutcome { signal(number) }

  @inlinable
  package static func firstDemand(for number: Int, isUnlimited: Bool) -> Subscribers.Demand { .none }

  @inlinable
  package static var requestsAhead: Bool { false }

  @inlinable
  package mutating func awaitsDemand() -> Bool { false }

  @inlinable
  package static var mergedUpstream: Int { 0 }

  @inlinable
  package mutating func answered(_ number: Int) {}

  @inlinable
  package mutating func takeDemandToReturn() -> Subscribers.Demand { .none }

  @inlinable
  @inline(__always)
  package mutating func receive(scalar input: Input, from number: Int) -> ValueOutcome<Output> { .nothing }

  @inlinable
  package var takesScalars: Bool { mutating get { false } }

  @inlinable
  package mutating func maySend(_ number: Int) -> Bool { true }

  @usableFromInline
  package func mirrorChildren(downstream: Any?) -> [Mirror.Child] { [] }

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? { nil }
}

/// The phase of a machine that announces its subscription first.
@usableFromInline
enum MachinePhase {
  /// The downstream's subscription is about to be delivered.
  case announcing
  /// Values are delivered.
  case running
  /// Finished, failed or cancelled; the remaining actions are in the machine's ``PendingTermination``.
  case terminated
}

/// The phase of a machine that announces its subscription after its upstreams have sent theirs.
@usableFromInline
@frozen
package enum SubscribingPhase {
  /// The subscriptions of the upstreams are awaited.
  case subscribing
  /// The downstream's subscription is about to be delivered.
  case announcing
  /// Values are delivered.
  case running
  /// Finished, failed or cancelled; the remaining actions are in the machine's ``PendingTermination``.
  case terminated
}

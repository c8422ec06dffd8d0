/// An event that is enqueued for a coordinator whose gate is taken.
@usableFromInline
@frozen
package enum CoordinatorEvent<Input, Failure: Error> {
  /// The upstream with this number has sent its subscription.
  case subscribed(Int, SubscriptionObject)
  /// The upstream has sent a value.
  case value(Int, Input)
  /// The upstream has completed.
  case completed(Int, Subscribers.Completion<Failure>)
  /// An event of the operator itself, such as a timer that is due or an upstream that is about to be subscribed to.
  case signal(Int)
  /// A signal that arrived while another thread owned the gate.
  case enqueuedSignal(Int)
  /// A request to the upstream with this number has returned; the coordinator handles this event itself.
  case asked(Int)
}

/// An action that a machine returns.
///
/// The coordinator performs it without a lock.
@usableFromInline
@frozen
package enum CoordinatorAction<Output, Failure: Error, Effect> {
  /// Deliver the subscription to the downstream.
  case announce
  /// Deliver a value to the downstream; the returned demand is passed to the machine.
  case deliver(Output)
  /// Deliver the completion; no action follows.
  case complete(Subscribers.Completion<Failure>)
  /// Cancel an upstream.
  case cancel(SubscriptionObject)
  /// Request values from an upstream.
  case request(UpstreamRequest)
  /// An operator-specific action.
  case effect(Effect)
}

/// The decisions of an operator with several sources of events: a value with explicit states and no side effects.
///
/// The methods up to ``cancelled()`` record events. Only ``next()`` decides which actions follow from them. The
/// coordinator calls it until it returns `nil`.
@usableFromInline
package protocol CoordinatorMachine<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Effect = Never

  typealias Event = CoordinatorEvent<Input, Failure>
  typealias Action = CoordinatorAction<Output, Failure, Effect>

  /// The upstream with this number has sent its subscription.
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject)

  /// The upstream has sent a value.
  mutating func receive(_ input: Input, from number: Int)

  /// The upstream has completed.
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>)

  /// An event of the operator itself, such as a timer that is due or an upstream that is about to be subscribed to.
  mutating func signal(_ number: Int)

  /// A signal that arrived while another thread owned the gate.
  ///
  /// The owner calls this method, so it runs on the owner's thread.
  mutating func enqueuedSignal(_ number: Int)

  mutating func requested(_ demand: Subscribers.Demand)

  /// Handles a cancellation: drops all values; ``next()`` then returns the upstreams to cancel.
  mutating func cancelled()

  mutating func next() -> Action?

  // The methods below are optional.

  // Performance: these three and `isIdle()` are fast paths, which create no actions.

  /// Receives the value of a scalar upstream; returns `false` if the publisher must be subscribed to instead.
  mutating func receive(scalar input: Input, from number: Int) -> Bool

  /// Returns the output that ``next()`` would deliver, if its next action is a delivery.
  mutating func nextOutput() -> Output?

  /// Returns the demand that ``next()`` would request from this upstream, which has just sent an event.
  mutating func returnedDemand(for number: Int) -> Subscribers.Demand

  /// Returns the children of the upstream's mirror.
  func mirrorChildren(downstream: Any?) -> [Mirror.Child]

  /// Returns the outermost gate above this machine that this thread has entered, for the upstream with this number.
  func outermostGate(of thread: UInt, from number: Int) -> _Gated?

  /// Returns whether ``next()`` would return `nil`; `false` is always permitted.
  ///
  /// It changes nothing. Performance: as a getter it would copy the machine.
  mutating func isIdle() -> Bool
}

extension CoordinatorMachine {
  /// Passes an enqueued event to the method for its kind.
  @inlinable
  package mutating func handle(_ event: Event) {
    switch event {
    case .subscribed(let number, let subscription): subscribed(to: number, subscription)
    case .value(let number, let input): receive(input, from: number)
    case .completed(let number, let completion): completed(number, completion)
    case .signal(let number): signal(number)
    case .enqueuedSignal(let number): enqueuedSignal(number)
    case .asked: break
    }
  }

  @inlinable
  package mutating func signal(_ number: Int) {}

  @inlinable
  package mutating func enqueuedSignal(_ number: Int) { signal(number) }

  @inlinable
  @inline(__always)
  package mutating func receive(scalar input: Input, from number: Int) -> Bool { false }

  @inlinable
  @inline(__always)
  package mutating func nextOutput() -> Output? { nil }

  @inlinable
  @inline(__always)
  package mutating func returnedDemand(for number: Int) -> Subscribers.Demand { .none }

  @inlinable
  @inline(__always)
  package mutating func isIdle() -> Bool { false }

  @usableFromInline
  package func mirrorChildren(downstream: Any?) -> [Mirror.Child] { [] }

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? { nil }
}

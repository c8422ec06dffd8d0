/// What an upstream, or a timer, tells a coordinator whose gate is taken.
@usableFromInline
@frozen
package enum CoordinatorEvent<Input, Failure: Error> {
  /// The upstream with this number has sent its subscription.
  case subscribed(Int, any Subscription)
  /// The upstream has sent a value.
  case value(Int, Input)
  /// The upstream has completed.
  case completed(Int, Subscribers.Completion<Failure>)
  /// An event of the operator itself, such as a timer that is due or an upstream that is about to be subscribed to.
  case signal(Int)
  /// A signal that found another thread here.
  case signalLeft(Int)
  /// The upstream with this number has been asked: for the coordinator alone.
  case asked(Int)
}

/// What a machine wants done.
///
/// The coordinator does it with no lock held.
@usableFromInline
@frozen
package enum CoordinatorAction<Output, Failure: Error, Effect> {
  /// Hand the subscription downstream.
  case announce
  /// Send a value downstream; the demand that comes back is told to the machine.
  case deliver(Output)
  /// End; nothing follows.
  case complete(Subscribers.Completion<Failure>)
  /// Cancel an upstream.
  case cancel(any Subscription)
  /// Ask an upstream for values.
  case request(UpstreamRequest)
  /// Something that only this operator knows how to do.
  case effect(Effect)
}

/// The decisions of an operator that hears from more than one place: a value, with explicit states and no side effects.
///
/// Events are recorded by the methods of the first group; ``next()`` is the one place that decides what follows from them,
/// and is asked until it answers `nil`.
@usableFromInline
package protocol CoordinatorMachine<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Effect = Never

  typealias Event = CoordinatorEvent<Input, Failure>
  typealias Action = CoordinatorAction<Output, Failure, Effect>

  /// The upstream with this number has sent its subscription.
  mutating func subscribed(to number: Int, _ subscription: any Subscription)

  /// The upstream has sent a value.
  mutating func receive(_ input: Input, from number: Int)

  /// The upstream has completed.
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>)

  /// An event of the operator itself, such as a timer that is due or an upstream that is about to be subscribed to.
  mutating func signal(_ number: Int)

  /// The same of a signal that found another thread here, which is the one that calls: not where the signal came.
  mutating func signalLeft(_ number: Int)

  mutating func requested(_ demand: Subscribers.Demand)

  /// The downstream has cancelled: forget all values, answer ``next()`` with the upstreams to cancel.
  mutating func cancelled()

  mutating func next() -> Action?

  // The short way for a value, past actions, which a machine may leave out.

  /// An upstream with this number consists of this value: false if it has to be subscribed to all the same.
  mutating func receive(only input: Input, from number: Int) -> Bool

  /// The output that ``next()`` would deliver, if that is what it would do.
  mutating func nextOutput() -> Output?

  /// What ``next()`` would ask of the upstream with this number, from which something has just come.
  mutating func answer(to number: Int) -> Subscribers.Demand

  /// What mirrors show, where the upstream is one.
  func reflected(downstream: Any?) -> [Mirror.Child]

  /// The outermost gate that this thread has entered above this machine, which hears the upstream with this number.
  func outermostGate(of thread: UInt, from number: Int) -> _Gated?

  /// Whether ``next()`` would answer `nil`; it may say no although it would.
  ///
  /// It changes nothing, but as a getter it would copy the machine.
  mutating func isAtRest() -> Bool
}

extension CoordinatorMachine {
  /// Takes an event apart.
  @inlinable
  package mutating func handle(_ event: Event) {
    switch event {
    case .subscribed(let number, let subscription): subscribed(to: number, subscription)
    case .value(let number, let input): receive(input, from: number)
    case .completed(let number, let completion): completed(number, completion)
    case .signal(let number): signal(number)
    case .signalLeft(let number): signalLeft(number)
    case .asked: break
    }
  }

  @inlinable
  package mutating func signal(_ number: Int) {}

  @inlinable
  package mutating func signalLeft(_ number: Int) { signal(number) }

  @inlinable
  @inline(__always)
  package mutating func receive(only input: Input, from number: Int) -> Bool { false }

  @inlinable
  @inline(__always)
  package mutating func nextOutput() -> Output? { nil }

  @inlinable
  @inline(__always)
  package mutating func answer(to number: Int) -> Subscribers.Demand { .none }

  @inlinable
  @inline(__always)
  package mutating func isAtRest() -> Bool { false }

  @usableFromInline
  package func reflected(downstream: Any?) -> [Mirror.Child] { [] }

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? { nil }
}

/// The result of an operator for one input.
@usableFromInline
@frozen
package enum OperatorResult<Output, Failure: Error> {
  /// Send this value.
  case emit(Output)
  /// Send nothing; the upstream may send another in its place.
  case skip
  /// Cancel the upstream, send this value, and then finish.
  case emitAndFinish(Output)
  /// Send this value, cancel the upstream, and then finish.
  case emitLast(Output)
  /// Finish without a value.
  case finish
  /// Fail with an error.
  case fail(Failure)
}

/// The result of an operator for the completion of its upstream.
@usableFromInline
@frozen
package enum OperatorCompletion<Output, Failure: Error> {
  /// Forward the completion.
  case complete(Subscribers.Completion<Failure>)
  /// Send this as soon as there is demand for it, then finish.
  case emit(Output)
}

/// The events that an operator forwards although its upstream sends them before the subscription.
///
/// They are the same as in Combine. All others are dropped.
///
/// Performance: not an option set, which takes thousands of instructions in a debug build.
@usableFromInline
@frozen
package struct EarlyEvents {
  /// The downstream receives its subscription immediately, not when the upstream's arrives.
  @usableFromInline
  let subscription: Bool

  @usableFromInline
  let values: Bool

  @usableFromInline
  let completion: Bool

  @inlinable
  package init(subscription: Bool = false, values: Bool = false, completion: Bool = false) {
    self.subscription = subscription
    self.values = values
    self.completion = completion
  }
}

/// The work of an operator with state and one upstream: what it does with its inputs.
///
/// A ``StatefulSubscriber`` does the rest: subscription, demand, cancellation, completion, serial delivery.
@usableFromInline
package protocol StatefulOperator<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error

  /// The name that subscribers and subscriptions show.
  static var name: StaticString { get }

  /// The way of the downstream's demand to the upstream.
  var policy: OperatorSubscription.Policy { get }

  /// Whether the operator finishes without an input.
  ///
  /// Performance: mutating, because unspecialized code copies the operator for a getter that isn't.
  var isTerminated: Bool { mutating get }

  /// Whether it may send a value at the completion, which needs demand. Only then are values counted.
  static var mayEmitAtEnd: Bool { get }

  /// The demand that replaces a skipped value.
  var demandForSkipped: Subscribers.Demand { get }

  /// Whether returned demand is requested, as in Combine, because some publishers ignore what `receive(_:)` returns.
  static var requestsReturnedDemand: Bool { get }

  /// Whether ``next(_:)`` may run user code: a closure, an operator of a user's type, or the `deinit` of a value.
  ///
  /// If it doesn't, no call can re-enter the operator while it changes.
  static var runsUserCode: Bool { get }

  /// The events that are forwarded before the upstream's subscription.
  static var early: EarlyEvents { get }

  /// The upstream has sent its subscription.
  mutating func begin()

  mutating func next(_ input: Input) -> OperatorResult<Output, Failure>

  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<Output, Failure>

  /// The children of a mirror.
  static var mirrored: [MirrorPart] { get }
}

extension StatefulOperator {
  @inlinable
  package var policy: OperatorSubscription.Policy { .forward }

  @inlinable
  package var isTerminated: Bool { mutating get { false } }

  @inlinable
  package static var mayEmitAtEnd: Bool { true }

  @inlinable
  package static var requestsReturnedDemand: Bool { false }

  @inlinable
  package static var runsUserCode: Bool { true }

  @inlinable
  package static var early: EarlyEvents { EarlyEvents() }

  @inlinable
  package var demandForSkipped: Subscribers.Demand {
    if case .unlimited = policy { .none } else { .max(1) }
  }

  @inlinable
  @inline(__always)
  package mutating func begin() {}

  @usableFromInline
  package static var mirrored: [MirrorPart] { [] }
}

extension StatefulOperator where UpstreamFailure == Failure {
  @inlinable
  package mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> OperatorCompletion<
    Output, Failure
  > {
    .complete(completion)
  }
}

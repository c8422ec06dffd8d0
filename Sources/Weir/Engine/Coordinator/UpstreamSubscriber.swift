import Synchronization

/// The subscriber of one upstream of a coordinator, with its description and mirror.
@usableFromInline
package class UpstreamSubscriber<Machine: CoordinatorMachine>: Subscription, OperatorReflectable, OperatorSubscriber {
  @usableFromInline
  final let coordinator: Coordinator<Machine>

  @usableFromInline
  final let number: Int

  /// Whether the upstream is an inner publisher, formed from a value of the outer publisher.
  @usableFromInline
  final let isOpened: Bool

  @inlinable
  init(_ coordinator: Coordinator<Machine>, number: Int, isOpened: Bool = false) {
    self.coordinator = coordinator
    self.number = number
    self.isOpened = isOpened
  }

  @usableFromInline
  package var description: String { coordinator.description }

  @usableFromInline
  package var mirrorChildren: [Mirror.Child] {
    isOpened ? [("parentSubscription", coordinator.combineIdentifier)] : coordinator.mirrorChildren
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { coordinator.combineIdentifier }

  // The downstream cancels through the coordinator. Only the upstream can call these methods, and it needs no
  // cancellation.

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  package func cancel() {}

  /// Returns the upstream's downstream, if its values are the machine's inputs.
  ///
  /// The one value of an opened publisher needs no request if `takesScalars` is true.
  ///
  /// Performance: final, like the method below. Otherwise a client that is compiled for size calls it through the
  /// class's table of methods. Then its closure runs unspecialized: 14,000 instructions for each value of
  /// `receive(on:)` instead of 1,800. (`.ci/modes`)
  @inlinable
  final func inputs(takingScalars takesScalars: Bool = false) -> Downstream<Machine.Input, Machine.Failure> {
    downstream(takingScalars: takesScalars) { self.coordinator.receive($0, from: self.number) }
  }

  /// Returns the upstream's downstream.
  ///
  /// Performance: its three functions capture only this object, so they need no allocation.
  @inlinable
  final func downstream<Value>(
    takingScalars takesScalars: Bool = false, _ next: @escaping (Value) -> Subscribers.Demand
  ) -> Downstream<Value, Machine.Failure> {
    Downstream(
      face: Face({ self }, type: takesScalars ? ScalarSubscription.self : UpstreamSubscriber.self),
      begin: { self.begin($0) }, end: { self.coordinator.completed(self.number, $0.erased) }, next: next)
  }

  @inlinable
  final func begin(_ subscription: any Subscription) {
    if !subscription._isScalar {
      coordinator.subscribed(to: number, subscription)
    } else if !coordinator.admits(number) {
      subscription.cancel()
    }
  }
}

// These methods attach upstreams to a coordinator, unless its downstream has cancelled.
extension Coordinator {
  /// Returns the downstream of an upstream whose values are the machine's inputs.
  @inlinable
  package func inputs(as number: Int = 0) -> Downstream<Machine.Input, Machine.Failure> {
    UpstreamSubscriber(self, number: number).inputs()
  }

  /// Attaches to an upstream whose values are the machine's inputs.
  @inlinable
  package func attach<Upstream: Publisher>(to upstream: Upstream, as number: Int = 0)
  where Upstream.Output == Machine.Input, Upstream.Failure == Machine.Failure {
    if !isCancelled { upstream.attach(inputs(as: number)) }
  }

  /// Attaches to an upstream whose values are the machine's inputs, each of which brings the demand for the next.
  ///
  /// It brings that immediately, also if another thread has the gate: a subject has no demand for more until then.
  @inlinable
  package func attachOneByOne<Upstream: Publisher>(to upstream: Upstream)
  where Upstream.Output == Machine.Input, Upstream.Failure == Machine.Failure {
    if isCancelled { return }
    let subscriber = UpstreamSubscriber(self, number: 0)
    var isTerminated = false
    upstream.attach(
      Downstream(
        face: Face({ subscriber }, type: UpstreamSubscriber<Machine>.self),
        begin: { subscriber.coordinator.subscribed(to: subscriber.number, $0) },
        end: {
          isTerminated = true
          subscriber.coordinator.completed(subscriber.number, $0.erased)
        },
        next: {
          let more = subscriber.coordinator.receive($0, from: subscriber.number)
          return isTerminated || subscriber.coordinator.isCancelled ? .none : more + 1
        }))
  }

  /// Attaches to an upstream whose values are mapped to the machine's inputs.
  @inlinable
  package func attach<Upstream: Publisher>(
    to upstream: Upstream, as number: Int, _ input: @escaping (Upstream.Output) -> Machine.Input
  ) where Upstream.Failure == Machine.Failure {
    if isCancelled { return }
    let subscriber = UpstreamSubscriber(self, number: number)
    upstream.attach(subscriber.downstream { subscriber.coordinator.receive(input($0), from: subscriber.number) })
  }

  /// Attaches to an upstream whose values are only signals for the machine.
  @inlinable
  package func attach<Upstream: Publisher>(
    toSignals upstream: Upstream, as number: Int,
    ending: @escaping (Subscribers.Completion<Upstream.Failure>) -> AnyCompletion
  ) {
    if isCancelled { return }
    let subscriber = UpstreamSubscriber(self, number: number)
    let signals = subscriber.downstream { (_: Upstream.Output) in
      subscriber.coordinator.signal(subscriber.number)
      return .none
    }
    upstream.attach(
      .stateless(name, to: signals, end: { subscriber.coordinator.completed(subscriber.number, ending($0)) }))
  }

  /// Attaches to an outer publisher, and opens an inner publisher for each of its values.
  ///
  /// The machine receives a signal with the number of each inner publisher before the subscription. So it also counts
  /// an inner publisher that has not sent its subscription.
  ///
  /// The one value of a scalar outer publisher needs no request if `takesScalars` is true.
  @inlinable
  func attach<Upstream: Publisher, Opened: Publisher>(
    to upstream: Upstream, takingScalars takesScalars: Bool = false,
    opening open: @escaping (Upstream.Output) -> Opened
  )
  where
    Upstream.Failure == Machine.Failure, Opened.Output == Machine.Input, Opened.Failure == Machine.Failure
  {
    if !isCancelled { upstream.attach(outer(takingScalars: takesScalars, opening: open)) }
  }

  @inlinable
  @inline(never)
  func outer<Value, Opened: Publisher>(
    takingScalars takesScalars: Bool, opening open: @escaping (Value) -> Opened
  ) -> Downstream<Value, Machine.Failure>
  where Opened.Output == Machine.Input, Opened.Failure == Machine.Failure {
    let opening = Opening()
    return Downstream(
      face: Face({ self }, type: takesScalars ? ScalarSubscription.self : Coordinator.self),
      begin: { self.subscribed(to: outerNumber, $0) },
      end: {
        let completion = $0.erased
        if opening.isPending { return self.postpone(completion, opening) }
        opening.isTerminated = true
        self.completed(outerNumber, completion)
      },
      next: { value in
        if opening.isTerminated || self.isCancelled { return .none }
        guard opening.beginStep() else { return self.postpone(value, opening, opening: open) }
        let publisher = open(value)
        opening.endStep()
        self.receive(publisher, opening)
        return opening.isPending ? opening.drain() : .none
      })
  }

  // Performance: the two methods below aren't inlinable, for the reason of those of ``StatefulSubscriber``.

  /// Enqueues a value of the outer publisher that arrived while a closure formed an inner publisher.
  @usableFromInline
  func postpone<Value, Opened: Publisher>(
    _ value: Value, _ opening: Opening, opening open: @escaping (Value) -> Opened
  ) -> Subscribers.Demand where Opened.Output == Machine.Input, Opened.Failure == Machine.Failure {
    opening.enqueueAction { [self] in
      if !opening.isTerminated, !isCancelled { receive(open(value), opening) }
    }
    return .none
  }

  /// Enqueues the outer publisher's completion that arrived while a closure formed an inner publisher.
  @usableFromInline
  func postpone(_ completion: AnyCompletion, _ opening: Opening) {
    opening.enqueueAction { [self] in
      opening.isTerminated = true
      completed(outerNumber, completion)
    }
  }

  /// Attaches to an inner publisher.
  @inlinable
  func receive<Opened: Publisher>(_ publisher: Opened, _ opening: Opening)
  where Opened.Output == Machine.Input, Opened.Failure == Machine.Failure {
    let number = opening.count
    opening.count += 1
    if let only = publisher._scalarValue, receive(scalar: only, from: number) { return }
    let takesScalars = signal(number)
    // What the signal cancels can send the next outer value, which replaces this publisher.
    if opening.count > number + 1, !admits(number) { return }
    let subscriber = UpstreamSubscriber(self, number: number, isOpened: true)
    publisher.attach(subscriber.inputs(takingScalars: takesScalars))
  }
}

/// The state of an outer publisher's upstream.
@usableFromInline
final class Opening: Reentrant {
  // Safety: only the one thread that delivers accesses the two properties below, as in `Reentrant`. No access lasts
  // while user code runs. (`ReentrancyTests/cancelledFlatMap`, `Reentry/flatMap`)

  /// The number of inner publishers that have been opened.
  @usableFromInline
  @exclusivity(unchecked)
  var count = 0

  /// Whether the upstream has completed.
  @usableFromInline
  @exclusivity(unchecked)
  var isTerminated = false
}

/// The number of the outer publisher in a coordinator's machine.
@inlinable
var outerNumber: Int { -1 }

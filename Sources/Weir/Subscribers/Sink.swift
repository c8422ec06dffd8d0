public import Synchronization

extension Publisher {
  /// Attaches closures to this publisher.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `receiveCompletion` runs once, at the completion. Releasing the result cancels.
  /// - Threading: the closures run on the thread on which the publisher delivers, serially. A closure that is formed on
  ///   an actor is isolated to it: the program stops with a message if the publisher delivers elsewhere.
  ///   ``sink(on:receiveCompletion:receiveValue:)`` delivers on the main actor, and a `@Sendable` closure can run
  ///   anywhere.
  @inlinable
  public func sink(
    receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @isolated(any) (Output) -> Void
  ) -> AnyCancellable {
    Subscribers.Sink(receiveValue, receiveCompletion, "sink", of: Self.self).attach(to: self)
  }
}

extension Subscribers.Sink {
  /// Subscribes to a publisher, and returns a cancellable for the subscription.
  @inlinable
  func attach<Upstream: Publisher>(to publisher: Upstream) -> AnyCancellable
  where Upstream.Output == Input, Upstream.Failure == Failure {
    if IntrospectionRegistry.hasWitnesses.load(ordering: .relaxed) {
      subscribeBeforeWitnesses(to: publisher)
    } else {
      publisher._attach(events)
    }
    return AnyCancellable(anywhere: { self.cancel() })
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure to a publisher that never fails.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels.
  /// - Threading: the closure runs on the thread on which the publisher delivers, serially. A closure that is formed on
  ///   an actor is isolated to it: the program stops with a message if the publisher delivers elsewhere.
  ///   ``sink(on:receiveValue:)`` delivers on the main actor, and a `@Sendable` closure can run anywhere.
  @inlinable
  public func sink(receiveValue: @escaping @isolated(any) (Output) -> Void) -> AnyCancellable {
    Subscribers.Sink(receiveValue, nil, "sink", of: Self.self).attach(to: self)
  }
}

extension Subscribers {
  /// A subscriber that requests unlimited values and passes them to closures.
  ///
  /// - Demand: unlimited, at the subscription. No value returns further demand.
  /// - Completion and cancellation: both release the subscription, and a completion also releases the closures. A
  ///   cancellation during a delivery releases the closures when the delivery ends. Any other cancellation releases
  ///   them when the publisher releases this subscriber.
  /// - Threading: ``cancel()`` can be called on any thread.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, OperatorReflectable {
    // Safety: only one thread at a time delivers, which owns the turnstile, or the gate of the publisher or `Border`
    // that `events` is attached to. Only a delivery changes this property. Nested deliveries borrow it, and the last of
    // them releases it. If callers can have a reference to this sink, that happens under the lock of `upstreamSlot`,
    // under which they read this property. (`TurnstileTests`, `Threads/careless/sink`, `SinkTests/closuresElsewhere`)
    @usableFromInline
    @exclusivity(unchecked)
    var handlers: Handlers?

    /// The closures.
    ///
    /// Performance: noncopyable, so that a delivery borrows the closures instead of retaining them each time.
    @usableFromInline
    struct Handlers: ~Copyable {
      @usableFromInline
      let onValue: (Input) -> Void

      @usableFromInline
      let onCompletion: (Subscribers.Completion<Failure>) -> Void

      @inlinable
      init(
        onValue: consuming @escaping (Input) -> Void,
        onCompletion: consuming @escaping (Subscribers.Completion<Failure>) -> Void
      ) {
        self.onValue = onValue
        self.onCompletion = onCompletion
      }

      @inlinable
      @inline(__always)
      borrowing func receive(_ value: Input) {
        onValue(value)
      }

      /// Releases the closure for values, and returns the other.
      @inlinable
      @inline(__always)
      consuming func takeLast() -> (Subscribers.Completion<Failure>) -> Void { onCompletion }
    }

    /// The closure that runs for each value.
    public var receiveValue: (Input) -> Void {
      upstreamSlot.subscription.withLock { _ in handlers?.onValue } ?? { _ in }
    }

    /// The closure that runs for the completion.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      upstreamSlot.subscription.withLock { _ in handlers?.onCompletion } ?? { _ in }
    }

    @usableFromInline
    let upstreamSlot = SingleAssignmentSubscription()

    // Safety: as above; no access lasts while user code runs. (`TurnstileTests`, `Threads/careless/sink`)
    /// The number of nested deliveries, which borrow the closures; the closures must outlive them.
    @usableFromInline
    @exclusivity(unchecked)
    var depth: Int32 = 0

    @usableFromInline
    let turns = Turns()

    /// Creates a subscriber from two closures.
    ///
    /// A closure that is formed on an actor is isolated to it, as with
    /// ``Publisher/sink(receiveCompletion:receiveValue:)``.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void
    ) {
      self.init(receiveValue, receiveCompletion, "Sink", of: Self.self)
    }

    // Performance: separate from `sink`, so that it is compiled once for each type of values, not for each pipeline.
    @inlinable
    @inline(never)
    convenience init(
      _ receiveValue: @escaping @isolated(any) (Input) -> Void,
      _ receiveCompletion: (@isolated(any) (Subscribers.Completion<Failure>) -> Void)?,
      _ method: StaticString, of pipeline: any Any.Type
    ) {
      let onCompletion =
        if let receiveCompletion {
          confined(receiveCompletion, Origin(method, of: pipeline))
        } else {
          { (_: Subscribers.Completion<Failure>) in }
        }
      self.init(
        onValue: confined(receiveValue, Origin(method, of: pipeline)), onCompletion: onCompletion)
    }

    @inlinable
    init(
      onValue: consuming @escaping (Input) -> Void,
      onCompletion: consuming @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
      handlers = Handlers(onValue: onValue, onCompletion: onCompletion)
    }

    @usableFromInline
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func subscribeBeforeWitnesses<Upstream: Publisher>(to publisher: Upstream)
    where Upstream.Output == Input, Upstream.Failure == Failure {
      IntrospectionRegistry.subscribe(self, to: publisher)
    }

    /// `Sink`.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// `Sink`.
    public var playgroundDescription: Any { description }

    /// Stores the subscription and requests unlimited values; a second subscription is cancelled.
    public func receive(subscription: any Subscription) {
      turns.receive(subscription: subscription._object) { self.begin($0) }
    }

    /// Passes the value to the closure.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      if turns.enter() { return turns.leave(answering: next(value)) }
      return turns.receive(value) { self.next($0) }
    }

    /// Passes the completion to the closure and releases both closures.
    public func receive(completion: Subscribers.Completion<Failure>) {
      turns.receive(completion: completion) { self.end($0) }
    }

    /// The functions that `sink` attaches.
    ///
    /// Only the publisher has a reference to this subscriber; the program has none.
    @inlinable
    @inline(never)
    var events: Downstream<Input, Failure> {
      Downstream(
        face: Face({ self }, type: ScalarSubscription.self), begin: { self.begin($0) }, end: { self.end($0) },
        next: { self.next($0) })
    }

    @inlinable
    func begin(_ subscription: any Subscription) {
      // Such a subscription needs no request, and ends before the program has anything to cancel.
      if subscription._isScalar { return }
      if upstreamSlot.attach(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func next(_ value: Input) -> Subscribers.Demand {
      if upstreamSlot.isTerminated { return .none }
      depth &+= 1
      handlers?.receive(value)
      depth &-= 1
      if depth == 0, upstreamSlot.isTerminated { release() }
      return .none
    }

    @inlinable
    func end(_ completion: Subscribers.Completion<Failure>) {
      guard upstreamSlot.finish() else { return Reports.late(completion) }
      if depth == 0, !turns.isMade {
        // Performance: the usual case moves the closure, where the other copies it.
        let last = takeHandlers(&handlers)?.takeLast()
        last?(completion)
      } else {
        let last = handlers?.onCompletion
        if depth == 0 { releaseShared() }
        last?(completion)
      }
    }

    /// Releases the closures.
    ///
    /// Invariant: the closures are removed before they are released. An assignment would release the old value first,
    /// and a `deinit` that reads `receiveValue` would then access a released closure.
    @inlinable
    func release() {
      if turns.isMade { releaseShared() } else { _ = takeHandlers(&handlers) }
    }

    /// Releases the closures, if another thread can read them.
    @usableFromInline
    @inline(never)
    func releaseShared() {
      var released: Handlers?
      upstreamSlot.subscription.withLock { _ in released = takeHandlers(&handlers) }
      _ = released.take()
    }

    /// Cancels the subscription.
    @inlinable
    public func cancel() {
      upstreamSlot.cancel()
    }
  }
}

/// Removes a sink's closures, and returns them for the caller to release.
///
/// Performance: a function, as ``takeDownstream(_:)`` is.
@inlinable
func takeHandlers<Input, Failure>(
  _ stored: inout Subscribers.Sink<Input, Failure>.Handlers?
) -> Subscribers.Sink<Input, Failure>.Handlers? {
  let taken = consume stored
  stored = nil
  return taken
}

public import Synchronization

extension Publisher {
  /// Attaches closures to this publisher.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `receiveCompletion` runs once, at the end. Dropping the result cancels.
  /// - Threading: the closures run where the publisher delivers, serially. A closure that is formed on an actor belongs to
  ///   it: the program stops with a message if the publisher delivers elsewhere. ``sink(on:receiveCompletion:receiveValue:)``
  ///   brings values to the main actor, and a `@Sendable` closure may run anywhere.
  @inlinable
  public func sink(
    receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @isolated(any) (Output) -> Void
  ) -> AnyCancellable {
    Subscribers.Sink(receiveValue, receiveCompletion, "sink", of: Self.self).attach(to: self)
  }
}

extension Subscribers.Sink {
  /// Subscribes; what is returned cancels.
  @inlinable
  func attach<Upstream: Publisher>(to publisher: Upstream) -> AnyCancellable
  where Upstream.Output == Input, Upstream.Failure == Failure {
    if Witnesses.areThere.load(ordering: .relaxed) {
      subscribeBeforeWitnesses(to: publisher)
    } else {
      publisher._attach(own)
    }
    return AnyCancellable { self.cancel() }
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure to a publisher that can't fail.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the end goes unnoticed. Dropping the result cancels.
  /// - Threading: the closure runs where the publisher delivers, serially. A closure that is formed on an actor belongs to
  ///   it: the program stops with a message if the publisher delivers elsewhere. ``sink(on:receiveValue:)`` brings values
  ///   to the main actor, and a `@Sendable` closure may run anywhere.
  @inlinable
  public func sink(receiveValue: @escaping @isolated(any) (Output) -> Void) -> AnyCancellable {
    Subscribers.Sink(receiveValue, nil, "sink", of: Self.self).attach(to: self)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// - Demand: unlimited, at the subscription; no value brings more.
  /// - Completion and cancellation: let go of the subscription, and a completion of the closures too. A delivery that is
  ///   cancelled in its middle lets them go at its end; else they go when the publisher lets go of this subscriber.
  /// - Threading: ``cancel()`` can be called on any thread.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Described {
    // Safety: only one thread at a time delivers: the owner of the turnstile, or of the gate of the publisher or `Border` that `own` is
    // attached to. Only a delivery changes this. Nested deliveries borrow it, and the last of them releases it, under the lock of
    // `intake` if the caller can have this sink: the caller reads it under that lock.
    // (`TurnstileTests`, `Threads/careless/sink`, `SinkTests/closuresElsewhere`)
    @usableFromInline
    @exclusivity(unchecked)
    var handlers: Handlers?

    /// Closures that can't be copied, so that a delivery borrows them: otherwise it would retain them each time.
    @usableFromInline
    struct Handlers: ~Copyable {
      @usableFromInline
      let onValue: (Input) -> Void

      @usableFromInline
      let onCompletion: (Subscribers.Completion<Failure>) -> Void

      @inlinable
      init(onValue: @escaping (Input) -> Void, onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void) {
        self.onValue = onValue
        self.onCompletion = onCompletion
      }

      @inlinable
      @inline(__always)
      borrowing func receive(_ value: Input) {
        onValue(value)
      }
    }

    /// What runs for each value.
    public var receiveValue: (Input) -> Void { intake.subscription.withLock { _ in handlers?.onValue } ?? { _ in } }

    /// What runs at the end.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      intake.subscription.withLock { _ in handlers?.onCompletion } ?? { _ in }
    }

    // Safety: as above; no access lasts while user code runs. (`TurnstileTests`, `Threads/careless/sink`)
    /// Deliveries that are under way, one inside the other: they borrow the closures, which must outlive them.
    @usableFromInline
    @exclusivity(unchecked)
    var depth = 0

    @usableFromInline
    let intake = Intake()

    @usableFromInline
    let turns = Turns()

    /// Makes a subscriber of two closures.
    ///
    /// One that is formed on an actor belongs to it, as with ``Publisher/sink(receiveCompletion:receiveValue:)``.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void
    ) {
      self.init(receiveValue, receiveCompletion, "Sink", of: Self.self)
    }

    // Performance: apart from `sink`, so that it is compiled once for each type of values, not for each pipeline.
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
    init(onValue: @escaping (Input) -> Void, onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void) {
      handlers = Handlers(onValue: onValue, onCompletion: onCompletion)
    }

    @usableFromInline
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func subscribeBeforeWitnesses<Upstream: Publisher>(to publisher: Upstream)
    where Upstream.Output == Input, Upstream.Failure == Failure {
      Witnesses.subscribe(self, to: publisher)
    }

    /// `Sink`.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// `Sink`.
    public var playgroundDescription: Any { description }

    /// Stores the subscription and requests unlimited values; a second subscription is cancelled.
    public func receive(subscription: any Subscription) {
      turns.receive(subscription: subscription) { self.begin($0) }
    }

    /// Hands the value to the closure.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      let entry = turns.enter()
      if entry == .busy { return turns.receive(value) { self.next($0) } }
      return turns.leave(entry, answering: next(value))
    }

    /// Hands the completion to the closure and lets both closures go.
    public func receive(completion: Subscribers.Completion<Failure>) {
      turns.receive(completion: completion) { self.end($0) }
    }

    /// The functions that `sink` attaches.
    ///
    /// Only the publisher has a reference to this subscriber; the program has none.
    @inlinable
    @inline(never)
    var own: Downstream<Input, Failure> {
      Downstream(
        face: Face({ self }, type: Sink.self), begin: { self.begin($0) }, end: { self.end($0) },
        next: { self.next($0) })
    }

    @inlinable
    func begin(_ subscription: any Subscription) {
      if intake.attach(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func next(_ value: Input) -> Subscribers.Demand {
      if intake.isOver { return .none }
      depth &+= 1
      handlers?.receive(value)
      depth &-= 1
      if depth == 0, intake.isOver { release() }
      return .none
    }

    @inlinable
    func end(_ completion: Subscribers.Completion<Failure>) {
      guard intake.finish() else { return Reports.late(completion) }
      let last = handlers?.onCompletion
      if depth == 0 { release() }
      last?(completion)
    }

    /// Lets the closures go.
    ///
    /// An assignment would release before it stores: a `deinit` that reads `receiveValue` would find what is gone.
    @inlinable
    func release() {
      if turns.isMade { releaseShared() } else { _ = handlers.take() }
    }

    /// The same where another thread may read the closures.
    @usableFromInline
    @inline(never)
    func releaseShared() {
      var released: Handlers?
      intake.subscription.withLock { _ in released = handlers.take() }
      _ = released.take()
    }

    /// Cancels the subscription.
    @inlinable
    public func cancel() {
      intake.cancel()
    }
  }
}

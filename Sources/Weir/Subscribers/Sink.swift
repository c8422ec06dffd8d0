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
    let sink = Subscribers.Sink<Output, Failure>(
      onValue: confined(receiveValue, Origin("sink", of: Self.self)),
      onCompletion: confined(receiveCompletion, Origin("sink", of: Self.self)))
    subscribe(sink)
    return AnyCancellable(sink)
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
    let sink = Subscribers.Sink<Output, Never>(
      onValue: confined(receiveValue, Origin("sink", of: Self.self)), onCompletion: { _ in })
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// - Demand: unlimited, at the subscription; no value brings more.
  /// - Completion and cancellation: let go of the subscription, and a completion of the closures too. A delivery that is
  ///   cancelled in its middle lets them go at its end; else they go when the publisher lets go of this subscriber.
  /// - Threading: ``cancel()`` may come from any thread.
  public final class Sink<Input, Failure: Error>: _GuardedSubscriber, Cancellable, Described {
    // Safety: only the thread that delivers accesses `handlers` and `depth`. `strict` sees to that where a program
    // calls this sink itself; where this library has made it, publishers that may break the rule have a guard.
    // (`StrictSubscriberTests`)
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
    public var receiveValue: (Input) -> Void { handlers?.onValue ?? { _ in } }

    /// What runs at the end.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void { handlers?.onCompletion ?? { _ in } }

    /// Deliveries that are under way, one inside the other: they borrow the closures, which must outlive them.
    ///
    /// Safety: only the thread that delivers accesses it, like `handlers`. (`StrictSubscriberTests`)
    @usableFromInline
    @exclusivity(unchecked)
    var depth = 0

    @usableFromInline
    let intake = Intake()

    // Safety: written in the initializer only. (`StrictSubscriberTests/sinkByItself`)
    @usableFromInline
    @exclusivity(unchecked)
    var strict: StrictSubscriber<Inside>?

    /// What stands behind the guard of a sink that a program has made, and may call from any thread.
    @usableFromInline
    struct Inside: _GuardedSubscriber {
      // The sink holds the guard, which holds this, and whoever calls holds the sink.
      @usableFromInline
      unowned let sink: Sink

      @usableFromInline
      init(_ sink: Sink) {
        self.sink = sink
      }

      @usableFromInline
      var combineIdentifier: CombineIdentifier { sink.combineIdentifier }

      @usableFromInline
      func receive(subscription: any Subscription) { sink.accept(subscription) }

      @usableFromInline
      func receive(_ input: Input) -> Subscribers.Demand { sink.deliver(input) }

      @usableFromInline
      func receive(completion: Subscribers.Completion<Failure>) { sink.complete(completion) }
    }

    /// Makes a subscriber of two closures.
    ///
    /// One that is formed on an actor belongs to it, as with ``Publisher/sink(receiveCompletion:receiveValue:)``.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void
    ) {
      self.init(
        onValue: confined(receiveValue, Origin("Sink", of: Self.self)),
        onCompletion: confined(receiveCompletion, Origin("Sink", of: Self.self)))
      strict = StrictSubscriber(Inside(self), of: nil)
    }

    @inlinable
    init(onValue: @escaping (Input) -> Void, onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void) {
      handlers = Handlers(onValue: onValue, onCompletion: onCompletion)
    }

    /// `Sink`.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// `Sink`.
    public var playgroundDescription: Any { description }

    /// It relies on the rules of delivery.
    @inlinable
    public var _guard: _DeliveryGuard { .serializesAndStays }

    /// Keeps the subscription and asks for everything; a second one is cancelled.
    @inlinable
    public func receive(subscription: any Subscription) {
      if let strict { strict.receive(subscription: subscription) } else { accept(subscription) }
    }

    /// Hands the value to the closure.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      if let strict { return strict.receive(value) }
      return deliver(value)
    }

    /// Hands the completion to the closure and lets both closures go.
    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      if let strict { strict.receive(completion: completion) } else { complete(completion) }
    }

    @inlinable
    func accept(_ subscription: any Subscription) {
      if intake.attach(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    @inline(__always)
    func deliver(_ value: Input) -> Subscribers.Demand {
      if intake.isOver { return .none }
      depth &+= 1
      handlers?.receive(value)
      depth &-= 1
      if depth == 0, intake.isOver { release() }
      return .none
    }

    @inlinable
    func complete(_ completion: Subscribers.Completion<Failure>) {
      guard intake.finish() else { return Reports.late(completion) }
      let last = handlers?.onCompletion
      if depth == 0 { release() }
      last?(completion)
    }

    /// Releases the closures.
    ///
    /// What they hold may send when it is released: by then they are out of reach.
    @inlinable
    @inline(never)
    func release() {
      let released = handlers.take()
      _ = consume released
    }

    /// Cancels the subscription.
    @inlinable
    public func cancel() {
      intake.cancel()
    }
  }
}

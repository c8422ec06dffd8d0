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
    receiveValue: @escaping @isolated(any) (Output) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      onValue: confined(receiveValue, Origin("sink", of: Self.self, fileID, line)),
      onCompletion: confined(receiveCompletion, Origin("sink", of: Self.self, fileID, line)))
    subscribe(sink)
    return AnyCancellable(sink)
  }

  /// Attaches closures to this publisher: for those who name this method without calling it.
  @inlinable
  @_disfavoredOverload
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(onValue: receiveValue, onCompletion: receiveCompletion)
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
  public func sink(
    receiveValue: @escaping @isolated(any) (Output) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Never>(
      onValue: confined(receiveValue, Origin("sink", of: Self.self, fileID, line)), onCompletion: { _ in })
    subscribe(sink)
    return AnyCancellable(sink)
  }

  /// Attaches a closure to a publisher that can't fail: for those who name this method without calling it.
  @inlinable
  @_disfavoredOverload
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Never>(onValue: receiveValue, onCompletion: { _ in })
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
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Described {
    // Changed by the delivery alone, which is serial, when no value is being handed over.
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
    @usableFromInline
    @exclusivity(unchecked)
    var depth = 0

    @usableFromInline
    let intake = Intake()

    /// Makes a subscriber of two closures.
    ///
    /// One that is formed on an actor belongs to it, as with ``Publisher/sink(receiveCompletion:receiveValue:fileID:line:)``.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void, fileID: StaticString = #fileID, line: UInt = #line
    ) {
      self.init(
        onValue: confined(receiveValue, Origin("Sink", of: Self.self, fileID, line)),
        onCompletion: confined(receiveCompletion, Origin("Sink", of: Self.self, fileID, line)))
    }

    /// Makes a subscriber of two closures: for those who name this initializer without calling it.
    @inlinable
    @_disfavoredOverload
    public convenience init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      self.init(onValue: receiveValue, onCompletion: receiveCompletion)
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

    /// Keeps the subscription and asks for everything; a second one is cancelled.
    @inlinable
    public func receive(subscription: any Subscription) {
      if intake.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Hands the value to the closure.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      if intake.isOver { return .none }
      depth &+= 1
      handlers?.receive(value)
      depth &-= 1
      if depth == 0, intake.isOver { handlers = nil }
      return .none
    }

    /// Hands the completion to the closure and lets both closures go.
    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      guard intake.finish() else { return Reports.late(completion) }
      let last = handlers?.onCompletion
      if depth == 0 { handlers = nil }
      last?(completion)
    }

    /// Cancels the subscription.
    @inlinable
    public func cancel() {
      intake.cancel()
    }
  }
}

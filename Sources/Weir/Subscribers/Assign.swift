extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the object is retained until a completion or a cancellation. Releasing the result
  ///   cancels. If it is released where the property is set, the property is not set again.
  /// - Threading: if this method is called on an actor, such as the main actor, the property is set there, in the order
  ///   in which values arrive. A value that arrives on the actor is set immediately, unless an older value is pending.
  ///   Other values are set as soon as the actor is free. At most 200 pending values are set in a row, so that other
  ///   work on the actor can run. The actor is not retained; after it has been deallocated, values are set one at a
  ///   time, outside of it.
  ///
  ///   The actor of the call counts, because a key path doesn't tell to which actor its property belongs. So call this
  ///   method where the object is used. The `init` of an actor runs on the actor of its caller, unless it is
  ///   asynchronous.
  ///
  ///   If this method is called elsewhere, the property is set on the thread on which the publisher delivers. A
  ///   ``Subscribers/Assign`` that the program creates does that everywhere.
  ///
  ///   Two properties that are assigned to each other in this way may exchange values without end if another thread sets
  ///   one of them, because a value that waits for the actor comes back late. Use `assign(to:)` for `@Published`
  ///   properties, or the two-way bindings of WeirRx.
  @inlinable
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    attach(Subscribers.Assign(object: object, keyPath: keyPath, belongingTo: currentActor()))
  }

  /// Assigns each value to a property without isolation, of a `Sendable` object.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the object is retained until a completion or a cancellation. Releasing the result
  ///   cancels.
  /// - Threading: the property is set on the thread on which the publisher delivers.
  ///
  /// - Parameters:
  ///   - keyPath: the property; in Swift 6 a literal is `Sendable` if the property is not isolated to an actor.
  ///   - object: the object.
  /// - Returns: a cancellable that ends the assignment when it is cancelled or released.
  @inlinable
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    attach(Subscribers.Assign(object: object, keyPath: keyPath))
  }

  /// Assigns each value to a property that is isolated to an actor.
  @inlinable
  package func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, belongingTo actor: (any Actor)?
  ) -> AnyCancellable {
    attach(Subscribers.Assign(object: object, keyPath: keyPath, belongingTo: actor))
  }

  @inlinable
  func attach<Root>(_ assign: Subscribers.Assign<Root, Output>) -> AnyCancellable {
    attach(assign) { $0.events }
    return AnyCancellable(anywhere: { assign.cancel() })
  }
}

extension Subscribers {
  /// A subscriber that requests unlimited values and assigns them to a property.
  ///
  /// - Demand: unlimited, at the subscription.
  /// - Completion and cancellation: both release the object.
  /// - Threading: ``cancel()`` can be called on any thread.
  public final class Assign<Root, Input>: Subscriber, Cancellable, OperatorReflectable {
    /// This subscriber never receives a failure.
    public typealias Failure = Never

    @usableFromInline
    let target: Locked<Root?>

    /// The lane to the actor on which the property is set, if there is one.
    @usableFromInline
    let lane: ActorLane<Input>?

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    @usableFromInline
    let upstreamSlot = SingleAssignmentSubscription()

    @usableFromInline
    let turns = Turns()

    /// Creates a subscriber that sets this property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = nil
    }

    @usableFromInline
    init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, belongingTo actor: (any Actor)?) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = actor.map { ActorLane(to: $0) }
      // The lane retains this subscriber until it has delivered all values, which can be later than the publisher's
      // completion.
      lane?.open { self.set($0) }
    }

    /// The object, or `nil` after the completion or a cancellation.
    @inlinable
    public var object: Root? {
      target.withLock { $0 }
    }

    /// A description with the type of the object.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror of the object and the property.
    public var customMirror: Mirror {
      Mirror(
        self,
        children: ["object": object as Any, "keyPath": keyPath, "status": upstreamSlot.isTerminated ? "over" : "open"])
    }

    /// The description.
    public var playgroundDescription: Any { description }

    /// Stores the subscription and requests unlimited values; a second subscription is cancelled.
    public func receive(subscription: any Subscription) {
      turns.receive(subscription: subscription._object) { self.begin($0) }
    }

    /// Sets the property, if there is a subscription and no completion.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      if turns.enter() { return turns.leave(answering: next(value)) }
      return turns.receive(value) { self.next($0) }
    }

    /// Releases the object, if there is a subscription.
    public func receive(completion: Subscribers.Completion<Never>) {
      turns.receive(completion: completion) { self.end($0) }
    }

    /// The functions that `assign` attaches.
    ///
    /// Only the publisher has a reference to this subscriber; the program has none.
    @inlinable
    @inline(never)
    var events: Downstream<Input, Never> {
      Downstream(
        face: Face({ self }, type: ScalarSubscription.self), begin: { self.begin($0) }, end: { self.end($0) },
        next: { self.next($0) })
    }

    @usableFromInline
    func begin(_ subscription: any Subscription) {
      if upstreamSlot.attach(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func next(_ value: Input) -> Subscribers.Demand {
      guard upstreamSlot.isOpen else { return .none }
      // Performance: optional chaining doesn't retain the lane.
      if lane?.isFree ?? true { set(value) } else { put(value) }
      return .none
    }

    @usableFromInline
    func end(_ completion: Subscribers.Completion<Never>) {
      // As in Combine, a completion before the subscription is ignored.
      guard upstreamSlot.isOpen, upstreamSlot.finish() else { return }
      if let lane { lane.end { self.release() } } else { release() }
    }

    @usableFromInline
    func put(_ value: Input) {
      lane?.put(value)
    }

    /// Cancels the subscription and releases the object.
    public func cancel() {
      upstreamSlot.cancel()
      release()
    }

    @inlinable
    func set(_ value: Input) {
      object?[keyPath: keyPath] = value
    }

    private func release() {
      lane?.close()
      _ = target.withLock { $0.take() }
    }
  }
}

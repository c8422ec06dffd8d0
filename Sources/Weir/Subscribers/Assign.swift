extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the object is retained until a completion or a cancellation. Releasing the result
  ///   cancels. If it is released where the property is set, the property is not set again.
  /// - Threading: if this method is called on the main actor, the property is set there, in the order in which values
  ///   arrive. A value that arrives on the main actor is set immediately, unless an older value is pending. Other
  ///   values are set as soon as the main actor is free. At most 200 pending values are set in a row, so that other
  ///   work on the main actor can run.
  ///
  ///   If this method is called elsewhere, the property is set on the thread on which the publisher delivers. If that
  ///   call is isolated to another actor, and the publisher doesn't deliver on that actor, the program stops with a
  ///   message. The isolation of the call counts, because a key path doesn't tell to which actor its property belongs.
  @inlinable
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    attach(
      Subscribers.Assign(
        object: object, keyPath: keyPath, belongingTo: currentActor(), Origin("assign", of: Self.self)))
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
  package func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, belongingTo actor: (any Actor)?,
    at fileID: StaticString, _ line: UInt
  ) -> AnyCancellable {
    let origin = Origin("assign", of: Self.self, at: fileID, line)
    return attach(Subscribers.Assign(object: object, keyPath: keyPath, belongingTo: actor, origin))
  }

  @inlinable
  func attach<Root>(_ assign: Subscribers.Assign<Root, Output>) -> AnyCancellable {
    attach(assign) { $0.own }
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that requests unlimited values and assigns them to a property.
  ///
  /// - Demand: unlimited, at the subscription.
  /// - Completion and cancellation: both release the object.
  /// - Threading: ``cancel()`` can be called on any thread.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Described {
    /// This subscriber never receives a failure.
    public typealias Failure = Never

    @usableFromInline
    let target: Locked<Root?>

    /// The lane to the main actor, if the property is isolated to it.
    @usableFromInline
    let lane: MainActorLane<MainActorEvent<Input, Never>>?

    /// Another actor that the property is isolated to, and the origin of this subscriber, for a message.
    private let owner: (actor: any Actor, origin: Origin)?

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    @usableFromInline
    let intake = SingleAssignmentSubscription()

    @usableFromInline
    let turns = Turns()

    /// Whether values are set on the thread on which they arrive.
    @usableFromInline
    let isDirect: Bool

    /// Creates a subscriber that sets this property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = nil
      owner = nil
      isDirect = true
    }

    @usableFromInline
    init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, belongingTo actor: (any Actor)?,
      _ origin: @autoclosure () -> Origin
    ) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = actor is MainActor ? MainActorLane() : nil
      isDirect = actor == nil
      owner = lane == nil ? actor.map { ($0, origin()) } : nil
      // Safety: only the lane uses it, on the main actor, and the lock protects the object. (`SinkOnMainActorTests`)
      // The lane retains this subscriber until it has delivered all values, which can be later than the publisher's
      // completion.
      nonisolated(unsafe) let assign = self
      lane?.open { event in
        switch event {
        case .value(let value): assign.set(value)
        case .completion: assign.release()
        }
      }
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
      Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": intake.isOver ? "over" : "open"])
    }

    /// The description.
    public var playgroundDescription: Any { description }

    /// Stores the subscription and requests unlimited values; a second subscription is cancelled.
    public func receive(subscription: any Subscription) {
      turns.receive(subscription: subscription) { self.begin($0) }
    }

    /// Sets the property, if there is a subscription and no completion.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      let entry = turns.enter()
      if entry == .busy { return turns.receive(value) { self.next($0) } }
      return turns.leave(entry, answering: next(value))
    }

    /// Releases the object.
    public func receive(completion: Subscribers.Completion<Never>) {
      turns.receive(completion: completion) { self.end($0) }
    }

    /// The functions that `assign` attaches.
    ///
    /// Only the publisher has a reference to this subscriber; the program has none.
    @inlinable
    @inline(never)
    var own: Downstream<Input, Never> {
      Downstream(
        face: Face({ self }, type: Assign.self), begin: { self.begin($0) }, end: { self.end($0) },
        next: { self.next($0) })
    }

    @usableFromInline
    func begin(_ subscription: any Subscription) {
      if intake.attach(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func next(_ value: Input) -> Subscribers.Demand {
      guard intake.isOpen else { return .none }
      if isDirect || lane?.isFree == true { set(value) } else { bring(value) }
      return .none
    }

    @usableFromInline
    func end(_ completion: Subscribers.Completion<Never>) {
      guard intake.finish() else { return }
      if let lane { lane.put(.completion(completion)) } else { release() }
    }

    /// Sets a value on the main actor, or checks that this is the object's actor and sets it here.
    @usableFromInline
    func bring(_ value: Input) {
      if let lane { return lane.put(.value(value)) }
      if let owner { requireIsolation(to: owner.actor, owner.origin) }
      set(value)
    }

    /// Cancels the subscription and releases the object.
    public func cancel() {
      intake.cancel()
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

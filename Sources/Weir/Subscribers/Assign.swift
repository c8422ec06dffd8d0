extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: both let the object go, which is held until then. Dropping the result cancels: if that
  ///   is done where the property is set, it isn't set from then on.
  /// - Threading: called on the main actor, this sets the property there: immediately if the value comes there and no older
  ///   value is pending, else as soon as the main actor is free, and always in the order in which values came. At most 200
  ///   pending values are set in a row, so that other work on the main actor has its turn. Called elsewhere, it sets the
  ///   property where the publisher delivers; if that is on another actor, and the publisher doesn't deliver on that one, the
  ///   program stops with a message. What counts is where it is called, because a key path doesn't tell to which actor its
  ///   property belongs.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    assign(to: keyPath, on: object, belongingTo: currentActor(), Origin("assign", of: Self.self))
  }

  /// Assigns each value to a property that may be set anywhere, of an object that may be used anywhere.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: both let the object go, which is held until then. Dropping the result cancels.
  /// - Threading: the property is set where the publisher delivers.
  ///
  /// - Parameters:
  ///   - keyPath: the property: a literal is `Sendable` in Swift 6 if no actor guards the property.
  ///   - object: the object.
  /// - Returns: what ends the assignment when it is cancelled or dropped.
  @inlinable
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    attach(Subscribers.Assign(object: object, keyPath: keyPath))
  }

  /// Assigns each value to a property that belongs to an actor.
  package func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, belongingTo actor: (any Actor)?,
    at fileID: StaticString, _ line: UInt
  ) -> AnyCancellable {
    assign(to: keyPath, on: object, belongingTo: actor, Origin("assign", of: Self.self, at: fileID, line))
  }

  private func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, belongingTo actor: (any Actor)?,
    _ origin: @autoclosure () -> Origin
  ) -> AnyCancellable {
    guard let actor else { return attach(Subscribers.Assign(object: object, keyPath: keyPath)) }
    return attach(Subscribers.Assign(object: object, keyPath: keyPath, belongingTo: actor, origin()))
  }

  @inlinable
  func attach<Root>(_ assign: Subscribers.Assign<Root, Output>) -> AnyCancellable {
    attach(assign) { $0.own }
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and assigns it to a property.
  ///
  /// - Demand: unlimited, at the subscription.
  /// - Completion and cancellation: let the object go.
  /// - Threading: ``cancel()`` can be called on any thread.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Described {
    /// It can't receive a failure.
    public typealias Failure = Never

    @usableFromInline
    let target: Locked<Root?>

    /// The way to the main actor, if the property belongs there.
    private let lane: MainActorLane<MainActorEvent<Input, Never>>?

    /// Another actor that the property belongs to, and where this was made, for a message.
    private let owner: (actor: any Actor, origin: Origin)?

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    @usableFromInline
    let intake = Intake()

    @usableFromInline
    let turns = Turns()

    /// Values are set where they come.
    @usableFromInline
    let isDirect: Bool

    /// Makes a subscriber that sets this property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = nil
      owner = nil
      isDirect = true
    }

    init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, belongingTo actor: any Actor,
      _ origin: @autoclosure () -> Origin
    ) {
      target = Locked(object)
      self.keyPath = keyPath
      lane = actor is MainActor ? MainActorLane() : nil
      isDirect = false
      owner = actor is MainActor ? nil : (actor, origin())
      // Safety: only the lane uses it, on the main actor, and the object is behind its lock. (`SinkOnMainActorTests`)
      // The lane keeps this until the end, which may be there before all values are.
      nonisolated(unsafe) let assign = self
      lane?.open { event in
        switch event {
        case .value(let value): assign.set(value)
        case .completion: assign.release()
        }
      }
    }

    /// The object, or `nil` after the end.
    @inlinable
    public var object: Root? {
      target.withLock { $0 }
    }

    /// Tells the type of the object.
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

    /// Sets the property, if a subscription has come and the end has not.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      let entry = turns.enter()
      if entry == .busy { return turns.receive(value) { self.next($0) } }
      return turns.leave(entry, answering: next(value))
    }

    /// Lets the object go.
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
      if isDirect { set(value) } else { bring(value) }
      return .none
    }

    @usableFromInline
    func end(_ completion: Subscribers.Completion<Never>) {
      guard intake.finish() else { return }
      if let lane { lane.put(.completion(completion)) } else { release() }
    }

    /// Has a value set on the main actor, or sees to it that this is the actor of the object.
    @usableFromInline
    func bring(_ value: Input) {
      if let lane { return lane.put(.value(value)) }
      if let owner { requireIsolation(to: owner.actor, owner.origin) }
      set(value)
    }

    /// Cancels the subscription and lets the object go.
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

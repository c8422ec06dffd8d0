extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: both let the object go, which is held until then. Dropping the result cancels.
  /// - Threading: the property is set where the publisher delivers.
  @inlinable
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and assigns it to a property.
  ///
  /// - Demand: unlimited, at the subscription.
  /// - Completion and cancellation: let the object go.
  /// - Threading: ``cancel()`` may come from any thread.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Described {
    /// It can't receive a failure.
    public typealias Failure = Never

    private let target: Locked<Root?>

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    let intake = Intake()

    /// Makes a subscriber that sets this property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Locked(object)
      self.keyPath = keyPath
    }

    /// The object, or `nil` after the end.
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

    /// Keeps the subscription and asks for everything; a second one is cancelled.
    public func receive(subscription: any Subscription) {
      if intake.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Sets the property, if a subscription has come and the end has not.
    public func receive(_ value: Input) -> Subscribers.Demand {
      if intake.isOpen { object?[keyPath: keyPath] = value }
      return .none
    }

    /// Lets the object go.
    public func receive(completion: Subscribers.Completion<Never>) {
      if intake.finish() { release() }
    }

    /// Cancels the subscription and lets the object go.
    public func cancel() {
      intake.cancel()
      release()
    }

    private func release() {
      _ = target.withLock { $0.take() }
    }
  }
}

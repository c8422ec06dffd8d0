public import Weir

/// How a reference keeps an object.
public enum ObjectOwnership: Sendable, Hashable {
  /// The reference keeps the object alive.
  case strong

  /// The object may be deallocated first.
  ///
  /// Assignments then have no effect.
  case weak

  /// The object must outlive the reference.
  ///
  /// Using it afterwards stops the program.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object, which is retained as `ownership` says.
  ///
  ///     model.$title.assign(to: \.title, on: self, ownership: .weak).store(in: &bag)
  ///
  /// `assign(to:on:)` retains the object, so an object that assigns to itself and stores the result is never
  /// deallocated.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: a finish releases the object. With `.weak`, values are ignored after the object has
  ///   been deallocated, and the first such value cancels the subscription. Releasing the result cancels the
  ///   subscription.
  /// - Threading: called on an actor, such as the main actor, this method sets the property there. A value that arrives
  ///   on the actor sets it immediately; any other value hops to the actor. Values keep their order. Called elsewhere,
  ///   this method sets the property where the publisher delivers.
  @inlinable
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership,
    isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    switch ownership {
    case .strong:
      return assign(to: keyPath, on: object, belongingTo: isolation)
    case .weak:
      return prefix { [weak object] (_: Output) -> Bool in object != nil }
        .sink(belongingTo: isolation) { [weak object] (value: Output) in
          object?[keyPath: keyPath] = value
        }
    case .unowned:
      return sink(belongingTo: isolation) { [unowned object] (value: Output) in
        object[keyPath: keyPath] = value
      }
    }
  }
}

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
  /// - Threading: called on the main actor, this method sets the property there. A value that arrives on the main actor
  ///   sets it immediately; any other value hops to the main actor. Values keep their order. Called elsewhere, this
  ///   method sets the property where the publisher delivers. If the caller is isolated to another actor, and the
  ///   publisher doesn't deliver on that actor, the program stops with a message.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership,
    isolation: (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    switch ownership {
    case .strong:
      return assign(to: keyPath, on: object, belongingTo: isolation, at: fileID, line)
    case .weak:
      return prefix { [weak object] (_: Output) -> Bool in object != nil }
        .sink(belongingTo: isolation, "assign", fileID, line) { [weak object] (value: Output) in
          object?[keyPath: keyPath] = value
        }
    case .unowned:
      return sink(belongingTo: isolation, "assign", fileID, line) { [unowned object] (value: Output) in
        object[keyPath: keyPath] = value
      }
    }
  }
}

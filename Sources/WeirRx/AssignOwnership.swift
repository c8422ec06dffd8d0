public import Weir

/// How somebody keeps an object.
public enum ObjectOwnership: Sendable, Hashable {
  /// The object lives at least as long.
  case strong

  /// The object may go: then there is nothing more to do.
  case weak

  /// The object outlives whoever uses it, and to use it afterwards stops the program.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object that is kept in a way of your choice.
  ///
  ///     model.$title.assign(to: \.title, on: self, ownership: .weak).store(in: &bag)
  ///
  /// `assign(to:on:)` keeps the object, so an object that assigns to itself and holds the result never goes.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: a finish lets the object go. With `.weak`, values are ignored when the object has
  ///   gone, and the first of them cancels. Dropping the result cancels.
  /// - Threading: called on the main actor, this sets the property there: at once if the value comes there, else as soon as
  ///   the main actor is free, and always in the order in which values came. Called elsewhere, it sets the property where
  ///   the publisher delivers; if that is on another actor, and the publisher doesn't deliver on that one, the program
  ///   stops with a message.
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

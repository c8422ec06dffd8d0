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
  /// - Threading: the property is set where the publisher delivers: to set a control's, `receive(on:)` the main queue.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    switch ownership {
    case .strong:
      return assign(to: keyPath, on: object)
    case .weak:
      return prefix { [weak object] (_: Output) -> Bool in object != nil }
        .sink { [weak object] (value: Output) in object?[keyPath: keyPath] = value }
    case .unowned:
      return sink { [unowned object] (value: Output) in object[keyPath: keyPath] = value }
    }
  }
}

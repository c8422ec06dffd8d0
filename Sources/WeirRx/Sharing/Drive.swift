// .ci/twins writes Emit.swift from this file.

public import Weir

extension SharedSequence where Strategy == DriverSharing {
  /// Calls closures of the main actor with each value.
  ///
  ///     results.drive(onNext: { list.rows = $0 }).store(in: &bag)
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `onCompleted` runs once, at completion. Releasing the result cancels the
  ///   subscription.
  /// - Threading: call this method from any thread. The closures run on the main actor, immediately if it is called
  ///   there.
  @inlinable
  public func drive(
    onNext: @escaping @MainActor (Element) -> Void = { _ in }, onCompleted: @escaping @MainActor () -> Void = {}
  ) -> AnyCancellable {
    sink(receiveCompletion: { _ in runOnMainActor(onCompleted) }, receiveValue: { runOnMainActor($0, onNext) })
  }

  // In Swift 5 mode, a trailing closure of the method above is its last one if possible, and otherwise ranks below a
  // function of the sequence.
  /// Calls a closure of the main actor with each value.
  ///
  /// - Demand, completion and cancellation, threading: as with two closures.
  @_documentation(visibility: internal)
  @inlinable
  public func drive(onNext: @escaping @MainActor (Element) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: { runOnMainActor($0, onNext) })
  }

  /// Calls closures of the main actor with an object, which is held weakly, and each value.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the closures no longer run after the object has been deallocated. Releasing the
  ///   result cancels the subscription.
  /// - Threading: call this method from any thread. The closures run on the main actor, immediately if it is called
  ///   there.
  @inlinable
  public func drive<Object: AnyObject>(
    with object: Object, onNext: @escaping @MainActor (Object, Element) -> Void = { _, _ in },
    onCompleted: @escaping @MainActor (Object) -> Void = { _ in }
  ) -> AnyCancellable {
    sink(
      receiveCompletion: { [weak object] _ in
        if let object { runOnMainActor(object, onCompleted) }
      },
      receiveValue: { [weak object] element in
        if let object { runOnMainActor((object, element)) { onNext($0.0, $0.1) } }
      })
  }

  /// Calls a closure of the main actor with an object, which is held weakly, and each value.
  ///
  /// - Demand, completion and cancellation, threading: as with two closures.
  @_documentation(visibility: internal)
  @inlinable
  public func drive<Object: AnyObject>(
    with object: Object, onNext: @escaping @MainActor (Object, Element) -> Void
  ) -> AnyCancellable {
    sink(
      receiveCompletion: { _ in },
      receiveValue: { [weak object] element in
        if let object { runOnMainActor((object, element)) { onNext($0.0, $0.1) } }
      })
  }

  /// Sends the values into relays.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: sends to the relays on the main actor.
  @inlinable
  public func drive(_ relay: any Relay<Element>, _ more: any Relay<Element>...) -> AnyCancellable {
    forward(into: [relay] + more)
  }

  /// Sends the values into relays of optional values.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: sends to the relays on the main actor.
  @inlinable
  public func drive(_ relay: any Relay<Element?>, _ more: any Relay<Element?>...) -> AnyCancellable {
    map(Element?.some).forward(into: [relay] + more)
  }

  /// Sends the values and the completion into subjects.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion completes the subjects. Releasing the result cancels the
  ///   subscription.
  /// - Threading: sends to the subjects on the main actor.
  @inlinable
  public func drive(_ subject: any Subject<Element, Never>, _ more: any Subject<Element, Never>...) -> AnyCancellable {
    forward(into: [subject] + more)
  }

  /// Attaches subscribers; the result cancels them all.
  ///
  /// - Demand: each subscriber's own.
  /// - Completion and cancellation: subscribers receive the completion, but no event after a cancellation. Releasing
  ///   the result cancels the subscription.
  /// - Threading: values arrive on the main actor.
  @inlinable
  public func drive(_ subscriber: any Subscriber<Element, Never>, _ more: any Subscriber<Element, Never>...)
    -> AnyCancellable
  {
    attach([subscriber] + more)
  }

  /// Attaches subscribers of optional values; the result cancels them all.
  ///
  /// - Demand: each subscriber's own.
  /// - Completion and cancellation: subscribers receive the completion, but no event after a cancellation. Releasing
  ///   the result cancels the subscription.
  /// - Threading: values arrive on the main actor.
  @inlinable
  public func drive(_ subscriber: any Subscriber<Element?, Never>, _ more: any Subscriber<Element?, Never>...)
    -> AnyCancellable
  {
    map(Element?.some).attach([subscriber] + more)
  }

  /// Passes this sequence to a function, and returns the function's result.
  ///
  /// A closure is one for the values, unless it uses this sequence.
  ///
  /// - Demand, completion and cancellation, threading: defined by the function.
  @_disfavoredOverload
  @inlinable
  public func drive<Result>(_ transformation: (Self) -> Result) -> Result {
    transformation(self)
  }
}

extension SharedSequence where Strategy == DriverSharing, Element == Void {
  /// Calls a closure of the main actor for each value.
  ///
  ///     taps.drive { counter.add() }.store(in: &bag)
  ///
  /// Swift 5 mode would take a closure without parameters for `onCompleted` of the general method.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: call this method from any thread. The closure runs on the main actor, immediately if it is called
  ///   there.
  @inlinable
  public func drive(onNext: @escaping @MainActor () -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: { runOnMainActor(onNext) })
  }
}

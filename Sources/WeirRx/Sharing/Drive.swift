#if canImport(Dispatch)
public import Weir

extension SharedSequence where Strategy == DriverSharing {
  /// Hands the values to closures of the main actor.
  ///
  ///     results.drive(onNext: { list.rows = $0 }).store(in: &bag)
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: `onCompleted` runs once, at the end. Dropping the result cancels.
  /// - Threading: call it from anywhere; the closures run on the main actor, at once if it is called there.
  public func drive(
    onNext: @escaping @MainActor (Element) -> Void = { _ in }, onCompleted: @escaping @MainActor () -> Void = {}
  ) -> AnyCancellable {
    sink(receiveCompletion: { _ in runOnMainActor(onCompleted) }, receiveValue: { runOnMainActor($0, onNext) })
  }

  /// Hands the values to closures of the main actor, together with an object that is not kept.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the closures no longer run when the object has gone. Dropping the result cancels.
  /// - Threading: call it from anywhere; the closures run on the main actor, at once if it is called there.
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

  /// Sends the values into relays.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the end goes unnoticed. Dropping the result cancels.
  /// - Threading: the relays are sent to on the main actor.
  public func drive(_ relay: any Relay<Element>, _ more: any Relay<Element>...) -> AnyCancellable {
    send(into: [relay] + more)
  }

  /// Sends the values into relays of optional values.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the end goes unnoticed. Dropping the result cancels.
  /// - Threading: the relays are sent to on the main actor.
  public func drive(_ relay: any Relay<Element?>, _ more: any Relay<Element?>...) -> AnyCancellable {
    map(Element?.some).send(into: [relay] + more)
  }

  /// Sends the values and the end into subjects.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the end ends the subjects. Dropping the result cancels.
  /// - Threading: the subjects are sent to on the main actor.
  public func drive(_ subject: any Subject<Element, Never>, _ more: any Subject<Element, Never>...) -> AnyCancellable {
    send(into: [subject] + more)
  }

  /// Attaches subscribers, with a way to cancel them all.
  ///
  /// - Demand: each subscriber's own.
  /// - Completion and cancellation: the end reaches the subscribers; a cancel doesn't. Dropping the result cancels.
  /// - Threading: values arrive on the main actor.
  public func drive(_ subscriber: any Subscriber<Element, Never>, _ more: any Subscriber<Element, Never>...)
    -> AnyCancellable
  {
    attach([subscriber] + more)
  }

  /// Attaches subscribers of optional values, with a way to cancel them all.
  ///
  /// - Demand: each subscriber's own.
  /// - Completion and cancellation: the end reaches the subscribers; a cancel doesn't. Dropping the result cancels.
  /// - Threading: values arrive on the main actor.
  public func drive(_ subscriber: any Subscriber<Element?, Never>, _ more: any Subscriber<Element?, Never>...)
    -> AnyCancellable
  {
    map(Element?.some).attach([subscriber] + more)
  }

  /// Hands this to a function that knows what to do with it.
  ///
  /// - Demand, completion and cancellation, threading: up to the function.
  public func drive<Result>(_ transformation: (Self) -> Result) -> Result {
    transformation(self)
  }
}
#endif

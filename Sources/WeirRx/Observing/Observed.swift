public import Observation
public import Weir

extension Observation.Observable where Self: AnyObject {
  /// Publishes the value of an `@Observable` object's property, now and after each change.
  ///
  ///     model.publisher(for: \.name).sink { print($0) }   // the name now, then each that is set
  ///
  /// The publisher holds the object weakly.
  ///
  /// - Demand: each subscriber's own. The property is a state: a slow subscriber receives its value at the time of the
  ///   request.
  /// - Completion and cancellation: finishes after the object has been deallocated.
  /// - Threading: subscribe on the caller's actor, to which the object is isolated. The property is read only there,
  ///   and values arrive there. In a function without isolation, that is the actor on which the function is called.
  ///   Without an actor the property is read on any thread, and the object must allow that.
  /// - Changes: Observation announces a change before it happens, so the value is read and sent a hop later. The hop
  ///   coalesces all changes until then. A change to an equal value is filtered out. A change that another thread has
  ///   not finished by then is seen with the next change.
  /// - Memory: Observation can't withdraw a registration. So a cancelled subscription leaves some 900 bytes with the
  ///   object until the next change of the property.
  ///
  /// - Parameters:
  ///   - keyPath: The property, which may be computed.
  ///   - isolation: The actor to which the object is isolated: the caller's.
  /// - Returns: A publisher of the property's values.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, isolation: (any Actor)? = #isolation
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(LaterExecution(on: isolation)) { [weak self] in self?[keyPath: keyPath] }
  }

  /// Publishes the value of an `@Observable` object's property, which is read and sent on a scheduler.
  ///
  ///     score =                                  -1-1-2
  ///     game.publisher(for: \.score, on: clock)  01---2
  ///
  /// - Demand, completion and cancellation, changes: see ``publisher(for:isolation:)``.
  /// - Threading: subscribe on the caller's actor. The property is read only there, and values arrive there, after an
  ///   action of the scheduler. In a function without isolation the first value is read where the subscription is made,
  ///   and later values on the scheduler.
  ///
  ///   The scheduler must be able to run an action later, so `ImmediateScheduler` stops the program at the first change.
  ///   `MainScheduler` hops to the main queue here.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, on scheduler: some Scheduler, isolation: (any Actor)? = #isolation
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(LaterExecution(on: scheduler, at: AccessPlace(on: isolation))) { [weak self] in
      self?[keyPath: keyPath]
    }
  }

  /// Publishes the result of a closure for an `@Observable` object, now and after each change that it reads.
  ///
  ///     model.observe { $0.price * $0.count }
  ///
  /// The publisher holds the object weakly.
  ///
  /// - Demand, completion and cancellation, threading, changes: see ``publisher(for:isolation:)``.
  public func observe<Value>(
    isolation: (any Actor)? = #isolation, _ read: @escaping (Self) -> Value
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(LaterExecution(on: isolation)) { [weak self] in self.map(read) }
  }
}

/// Publishes the result of a closure, now and after each change of the `@Observable` objects that it reads.
///
///     observe { model.price * cart.count }
///
/// The closure retains its captures.
///
/// - Demand: each subscriber's own. The result is a state: a slow subscriber receives its value at the time of the
///   request.
/// - Completion and cancellation: finishes when all objects that the closure has read have been deallocated. The
///   closure must capture them weakly for that.
/// - Threading: subscribe on the caller's actor, to which the objects are isolated. They are read only there, and
///   values arrive there. Without an actor they are read on any thread, and must allow that.
/// - Changes: Observation announces a change before it happens, so the closure runs a hop later. The hop coalesces all
///   changes until then. An equal value is filtered out.
public func observe<Value>(
  isolation: (any Actor)? = #isolation, _ read: @escaping () -> Value
) -> Publishers.Observed<Value> {
  Publishers.Observed(LaterExecution(on: isolation)) { read() }
}

extension Publishers {
  /// A publisher of the result of a function that reads `@Observable` objects.
  ///
  ///     score =                                  -1-2-3-
  ///     demand                                   2-----1
  ///     game.publisher(for: \.score, on: clock)  01----3
  public struct Observed<Value>: _DirectPublisher {
    /// The type of the function's result.
    public typealias Output = Value

    /// It can't fail.
    public typealias Failure = Never

    private let hop: LaterExecution

    /// Returns `nil` after the object has been deallocated.
    private let read: () -> Value?

    @usableFromInline
    package let assemblySite = AssemblySite()

    init(_ hop: LaterExecution, read: @escaping () -> Value?) {
      self.hop = hop
      self.read = read
    }

    /// Attaches a downstream, which receives the value at its first demand.
    public func _attach(_ downstream: consuming Downstream<Value, Never>) {
      hop.place.actor?.requireSubscriber(to: "A publisher of observed values")
      let tracker = ObservationTracker(hop) { [read] in _ = read() }
      guard let first = read() else { return Downstream.complete(downstream, with: .finished) }
      // A subject, so that values are read only here and on the hop, whichever thread requests them.
      let values = CurrentValueSubject<Value, Never>(first)
      let listening = tracker.changes.sink(
        receiveCompletion: { _ in values.send(completion: .finished) },
        receiveValue: { [read] in
          guard let value = read() else { return }
          if areEqual(value, values.value) != true { values.send(value) }
        })
      values.handleEvents(receiveCancel: {
        tracker.stop()
        listening.cancel()
      })._attach(downstream)
    }
  }
}

public import Observation
public import Weir

extension Observation.Observable where Self: AnyObject {
  /// The value of a property of an `@Observable` object, now and after each change.
  ///
  ///     model.publisher(for: \.name).sink { print($0) }   // the name now, then each that is set
  ///
  /// The object is held weakly.
  ///
  /// - Demand: each subscriber's own. The property is a state: one that can't keep up gets the value that it has then.
  /// - Completion and cancellation: finishes when the object has gone.
  /// - Threading: subscribe on the caller's actor, which the object belongs to: the property is read there only, and values
  ///   arrive there. Without an actor it is read on any thread, and the object must allow that.
  /// - Changes: Observation tells of a change before it happens, so the value is read and sent a hop later, as one for all
  ///   changes up to then. A change to an equal value is left out. A change that a thread outside of the actor has not
  ///   finished by then is seen with the next change.
  ///
  /// - Parameters:
  ///   - keyPath: the property, which may be computed of others.
  ///   - isolation: the actor that the object belongs to: the caller's.
  /// - Returns: a publisher of the property's values.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, isolation: (any Actor)? = #isolation
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(Hop(to: isolation)) { [weak self] in self?[keyPath: keyPath] }
  }

  /// The value of a property of an `@Observable` object, now and after each change, read and sent on a scheduler.
  ///
  ///     score =                                  -1-1-2
  ///     game.publisher(for: \.score, on: clock)  01---2
  ///
  /// - Demand, completion and cancellation, changes: see ``publisher(for:isolation:)``.
  /// - Threading: the first value is read where the subscription is made, the others on the scheduler.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, on scheduler: some Scheduler
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(Hop(on: scheduler)) { [weak self] in self?[keyPath: keyPath] }
  }

  /// What a closure makes of an `@Observable` object, now and after each change of what it reads.
  ///
  ///     model.observe { $0.price * $0.count }
  ///
  /// The object is held weakly.
  ///
  /// - Demand, completion and cancellation, threading, changes: see ``publisher(for:isolation:)``.
  public func observe<Value>(
    isolation: (any Actor)? = #isolation, _ read: @escaping (Self) -> Value
  ) -> Publishers.Observed<Value> {
    Publishers.Observed(Hop(to: isolation)) { [weak self] in self.map(read) }
  }
}

/// What a closure makes of `@Observable` objects, now and after each change of what it reads.
///
///     observe { model.price * cart.count }
///
/// The closure keeps what it captures.
///
/// - Demand: each subscriber's own. It is a state: one that can't keep up gets the value that it has then.
/// - Completion and cancellation: finishes when nothing that the closure has read can change any more: when the objects have
///   gone, which it must then capture weakly.
/// - Threading: subscribe on the caller's actor, which the objects belong to: they are read there only, and values arrive
///   there. Without an actor they are read on any thread, and must allow that.
/// - Changes: Observation tells of a change before it happens, so the closure runs a hop later, once for all changes up to
///   then. An equal value is left out.
public func observe<Value>(
  isolation: (any Actor)? = #isolation, _ read: @escaping () -> Value
) -> Publishers.Observed<Value> {
  Publishers.Observed(Hop(to: isolation)) { read() }
}

extension Publishers {
  /// A publisher of what a function reads of `@Observable` objects.
  ///
  ///     score =                                  -1-2-3-
  ///     demand                                   2-----1
  ///     game.publisher(for: \.score, on: clock)  01----3
  public struct Observed<Value>: _DirectPublisher {
    /// What is read.
    public typealias Output = Value

    /// It can't fail.
    public typealias Failure = Never

    private let hop: Hop

    /// `nil` when what is read has gone.
    private let read: () -> Value?

    @usableFromInline
    package let place = Place()

    init(_ hop: Hop, read: @escaping () -> Value?) {
      self.hop = hop
      self.read = read
    }

    /// Attaches a downstream, which gets the value at its first demand.
    public func _attach(_ downstream: Downstream<Value, Never>) {
      requireOwner()
      let tracker = ObservationTracker(hop) { [read] in _ = read() }
      guard let first = read() else { return downstream.receive(emptyWith: .finished) }
      // A subject, so that values are read here and on the hop only, wherever they are asked for.
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

    private func requireOwner() {
      guard let actor = hop.actor, isRunning(on: actor) == false else { return }
      fatalError(
        """
        A publisher of what is observed on \(type(of: actor)) was subscribed to elsewhere, where reading it may race. \
        Subscribe on \(type(of: actor)), or put .subscribe(on:) behind the publisher with a scheduler of that actor.
        """)
    }
  }
}

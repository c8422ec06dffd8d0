public import Weir

/// A publisher of whatever tells a function that it was given: targets and actions, handlers, observers.
///
///     callback                                         -1-2-3-|
///     demand                                           2
///     TargetActionPublisher(add: start, remove: stop)  -1-2---|
///
///     let signals = TargetActionPublisher<Void> { listener in
///       source.setEventHandler { listener.send() }
///       return source
///     } remove: { source in
///       source.setEventHandler(handler: nil)
///     }
///
/// It doesn't need the main actor. For what belongs there, as the widgets of most toolkits do, there is
/// ``init(onMainActor:remove:)``.
///
/// - Demand: never exceeded; an event for which there is no demand at its moment is dropped.
/// - Completion and cancellation: for each subscription `add` runs once, after the subscriber has got its subscription,
///   and `remove` once, with what `add` has returned: at a cancel, or before the finish. Who cancels inside the
///   subscription is never added.
/// - Threading: events may be sent on any thread, several at once too; one is delivered at a time. `add` runs where the
///   subscription is made, `remove` where it ends.
public struct TargetActionPublisher<Event>: _DirectPublisher {
  /// What happens.
  public typealias Output = Event

  /// It can't fail.
  public typealias Failure = Never

  private let add: (Listener) -> () -> Void

  @usableFromInline
  package let place = Place()

  /// Makes a publisher.
  ///
  /// - Parameters:
  ///   - add: has the listener told of events from now on, and returns what it takes to put an end to that.
  ///   - remove: puts an end to it.
  public init<Token>(add: @escaping (Listener) -> Token, remove: @escaping (Token) -> Void) {
    self.add = { listener in
      let token = add(listener)
      return { remove(token) }
    }
  }

  /// Makes a publisher of something that belongs to the main actor.
  ///
  ///     TargetActionPublisher<Void>(onMainActor: { listener in
  ///       widget.connect("clicked") { listener.send() }
  ///     }, remove: { handler in
  ///       widget.disconnect(handler)
  ///     })
  ///
  /// To subscribe to it anywhere else is a programming error. Its subscriptions may be cancelled on any thread: on the
  /// main actor `remove` runs at once, elsewhere as soon as that is free, and the subscriber hears of nothing in between.
  ///
  /// - Parameters:
  ///   - add: has the listener told of events from now on, and returns what it takes to put an end to that.
  ///   - remove: puts an end to it.
  public init<Token>(
    onMainActor add: @escaping @MainActor (Listener) -> Token, remove: @escaping @MainActor (Token) -> Void
  ) {
    self.init { listener in
      requireMainActor(toSubscribeTo: "A \(Self.self) of something that belongs to the main actor")
      return assumingMainActor(listener, add)
    } remove: { token in
      // Safety: it was made on the main actor, and is used there alone. (`TargetActionPublisherTests`)
      nonisolated(unsafe) let token = token
      onMainActor { remove(token) }
    }
  }

  /// Attaches a downstream, for which a listener is added.
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    let listener = Listener()
    listener.subject.attach(downstream, named: "TargetAction", onCancel: listener.removal.run)
    listener.removal.begin { add(listener) }
  }

  /// Whom a source tells of its events.
  ///
  /// - Threading: any thread, several at once too. It is `Sendable` if the events are.
  public struct Listener {
    let subject = PassthroughSubject<Event, Never>(named: "TargetAction")
    let removal = Removal()

    /// Something has happened.
    public func send(_ event: Event) {
      subject.send(event)
    }

    /// There will be no more events: the listener is removed, and then the subscriber finishes.
    public func finish() {
      removal.run()
      subject.send(completion: .finished)
    }
  }
}

// Safety: the subject is `Sendable`, and the removal is behind a lock. (`TargetActionPublisherTests`)
extension TargetActionPublisher.Listener: @unchecked Sendable where Event: Sendable {}

extension TargetActionPublisher.Listener where Event == Void {
  /// Something has happened.
  public func send() {
    send(())
  }
}

/// What removes a listener: runs once, and not before the listener has been added.
struct Removal {
  private enum Phase {
    case waiting
    /// What adds is running.
    case adding
    case added(remove: () -> Void)
    case over
  }

  private let phase = Shared(Phase.waiting)

  /// Adds the listener, unless that is over already.
  func begin(_ add: () -> () -> Void) {
    let isWanted = phase.withLock { phase in
      guard case .waiting = phase else { return false }
      phase = .adding
      return true
    }
    guard isWanted else { return }
    let remove = add()
    let isKept = phase.withLock { phase in
      guard case .adding = phase else { return false }
      phase = .added(remove: remove)
      return true
    }
    // It was over before what adds returned.
    if !isKept { remove() }
  }

  func run() {
    let last = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    if case .added(let remove) = last { remove() }
  }
}

/// State behind a lock, in a place of its own.
final class Shared<State> {
  private let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock(body)
  }
}

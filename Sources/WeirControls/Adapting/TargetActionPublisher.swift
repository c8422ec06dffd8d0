public import Weir

/// A publisher of the events of a callback API: targets and actions, handlers, observers.
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
/// This publisher doesn't require the main actor. For objects that do, as the widgets of most toolkits do, use
/// ``init(onMainActor:remove:)``.
///
/// - Demand: never exceeded. An event that arrives without demand is dropped.
/// - Completion and cancellation: for each subscription, `add` runs once, after the subscriber has received its
///   subscription. `remove` runs once, with the result of `add`: at a cancellation, or before the finish. A subscriber
///   that cancels while it receives its subscription is never added.
/// - Threading: any thread may send events, also concurrently; delivery is serialized. `add` runs where the
///   subscription is made, and `remove` where it terminates.
public struct TargetActionPublisher<Event>: _DirectPublisher {
  /// The type of an event.
  public typealias Output = Event

  /// It can't fail.
  public typealias Failure = Never

  private let add: (Listener) -> () -> Void

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a publisher.
  ///
  /// - Parameters:
  ///   - add: Registers the listener, and returns what `remove` needs to unregister it.
  ///   - remove: Unregisters the listener.
  public init<Token>(add: @escaping (Listener) -> Token, remove: @escaping (Token) -> Void) {
    self.add = { listener in
      let token = add(listener)
      return { remove(token) }
    }
  }

  /// Creates a publisher for an object of the main actor.
  ///
  ///     TargetActionPublisher<Void>(onMainActor: { listener in
  ///       widget.connect("clicked") { listener.send() }
  ///     }, remove: { handler in
  ///       widget.disconnect(handler)
  ///     })
  ///
  /// Subscribing on any other thread is a programming error. Any thread may cancel: `remove` runs immediately on the
  /// main actor, otherwise after a hop, and the subscriber receives no event in between.
  ///
  /// - Parameters:
  ///   - add: Registers the listener, and returns what `remove` needs to unregister it.
  ///   - remove: Unregisters the listener.
  public init<Token>(
    onMainActor add: @escaping @MainActor (Listener) -> Token, remove: @escaping @MainActor (Token) -> Void
  ) {
    self.init { listener in
      requireMainActor(toSubscribeTo: "A \(Self.self) with a listener on the main actor")
      return assumingMainActor(listener, add)
    } remove: { token in
      // Safety: the token was created on the main actor, and only the main actor uses it.
      // (`TargetActionPublisherTests`)
      nonisolated(unsafe) let token = token
      onMainActor { remove(token) }
    }
  }

  /// Attaches a downstream, for which it adds a listener.
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    let listener = Listener()
    listener.subject.attach(
      downstream.member(named: "TargetAction", isToConnect: false, onCancel: listener.removal.run))
    listener.removal.begin { add(listener) }
  }

  /// The receiver of a source's events.
  ///
  /// - Threading: any thread, also concurrently. It is `Sendable` if the events are.
  public struct Listener {
    let subject = PassthroughSubject<Event, Never>(named: "TargetAction")
    let removal = Removal()

    /// Sends an event.
    public func send(_ event: Event) {
      subject.send(event)
    }

    /// Finishes: removes the listener, and then completes the subscriber.
    public func finish() {
      removal.run()
      subject.send(completion: .finished)
    }
  }
}

// Safety: the subject is `Sendable`, and the removal is behind a lock. (`TargetActionPublisherTests`)
extension TargetActionPublisher.Listener: @unchecked Sendable where Event: Sendable {}

extension TargetActionPublisher.Listener where Event == Void {
  /// Sends an event without a value.
  public func send() {
    send(())
  }
}

/// Removes a listener once, and not before it has been added.
final class Removal {
  private enum Phase {
    case waiting
    /// The `add` closure is running.
    case adding
    case added(remove: () -> Void)
    case terminated
  }

  private let phase = Locked(Phase.waiting)

  /// Adds the listener, unless the subscription has terminated.
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
    // The subscription terminated before `add` returned.
    if !isKept { remove() }
  }

  func run() {
    let last = phase.withLock { phase in
      defer { phase = .terminated }
      return phase
    }
    if case .added(let remove) = last { remove() }
  }
}

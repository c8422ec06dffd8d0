public import Weir
import WeirDispatch

/// A type whose events can be subscribed to.
///
/// Every ``Control`` is one, also a control of your own.
public protocol CombineCompatible {}

extension CombineCompatible where Self: Control {
  /// The control's events as a publisher, which sends the control itself each time.
  ///
  ///     slide to                              -1-2-3
  ///     demand                                2
  ///     slider.publisher(for: .valueChanged)  -1-2--
  ///
  ///     button.publisher(for: .touchUpInside).sink { _ in print("tapped") }.store(in: &bag)
  ///
  /// - Demand: see ``ControlPublisher``: an event for which there is no demand is dropped.
  /// - Completion and cancellation: finishes when the control goes away.
  /// - Threading: subscribe on the main actor; events come there.
  @inlinable
  public func publisher(for controlEvents: Control.Event) -> ControlPublisher<Self> {
    ControlPublisher(control: self, controlEvents: controlEvents)
  }
}

/// A publisher of a control's events.
///
/// Each subscription adds itself to the control as a target, and is told of events in its turn.
///
/// - Demand: never exceeded. A person doesn't wait, so an event for which there is no demand at its moment is dropped;
///   `buffer(size:prefetch:whenFull:)` keeps it.
/// - Completion and cancellation: finishes when the control goes away, which a subscription doesn't prevent. The publisher
///   itself does: it keeps the control.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Events come on the main actor, those
///   that are sent from inside a delivery nested in it.
public struct ControlPublisher<C: Control>: _DirectPublisher, Sendable {
  /// The control, each time something happens to it.
  public typealias Output = C

  /// It can't fail.
  public typealias Failure = Never

  /// The control.
  public let control: C

  /// The events that are published.
  public let controlEvents: Control.Event

  @usableFromInline
  package let place = Place()

  /// Makes a publisher of a control's events.
  @inlinable
  public init(control: C, controlEvents: Control.Event) {
    self.control = control
    self.controlEvents = controlEvents
  }

  /// Attaches a subscriber.
  ///
  /// - Precondition: the caller is on the main actor.
  @inlinable
  public func _attach(_ downstream: Downstream<C, Never>) {
    requireMainActor()
    // Safety: the caller is on the main actor, and it does not leave it. (`ControlPublisherTests`)
    nonisolated(unsafe) let downstream = downstream
    MainActor.assumeIsolated {
      let subscription = ControlSubscription<C>(control.targets, downstream: downstream)
      control.targets.add(subscription, for: controlEvents) { listener, control, _ in
        ControlSubscription<C>.deliver(control, to: listener)
        return true
      }
      downstream.begin(subscription)
    }
  }

  @usableFromInline
  func requireMainActor() {
    if isOnMainActor() { return }
    // Not `precondition`, which says nothing in an optimised build.
    fatalError(
      """
      \(C.self).publisher(for: \(controlEvents)) was subscribed to off the main actor. Controls belong to the main \
      actor, and so does subscribing to their events. Subscribe in a function that is marked @MainActor, or put \
      .subscribe(on: DispatchQueue.main) behind publisher(for:).
      """)
  }
}

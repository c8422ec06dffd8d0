public import Weir

/// A type whose events can be subscribed to.
///
/// Every ``Control`` conforms, also your own subclasses.
public protocol CombineCompatible {}

extension CombineCompatible where Self: Control {
  /// A publisher of the control's events, which sends the control for each event.
  ///
  ///     slide to                              -1-2-3
  ///     demand                                2
  ///     slider.publisher(for: .valueChanged)  -1-2--
  ///
  ///     button.publisher(for: .touchUpInside).sink { _ in print("tapped") }.store(in: &bag)
  ///
  /// - Demand: see ``ControlPublisher``: an event without demand is dropped.
  /// - Completion and cancellation: finishes when the control is deallocated.
  /// - Threading: subscribe on the main actor. Events arrive there.
  @inlinable
  public func publisher(for controlEvents: Control.Event) -> ControlPublisher<Self> {
    ControlPublisher(control: self, controlEvents: controlEvents)
  }
}

/// A publisher of a control's events.
///
/// Each subscription adds itself to the control's targets, and receives events in that order.
///
/// - Demand: never exceeded. User input cannot be paused, so an event that arrives without demand is dropped;
///   `buffer(size:prefetch:whenFull:)` buffers it.
/// - Completion and cancellation: finishes when the control is deallocated. A subscription doesn't retain the control,
///   but the publisher does.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Events arrive on the main actor.
///   A re-entrant event is delivered nested.
public struct ControlPublisher<C: Control>: _DirectPublisher, Sendable {
  /// The control, for each of its events.
  public typealias Output = C

  /// It can't fail.
  public typealias Failure = Never

  /// The control.
  public let control: C

  /// The events that are published.
  public let controlEvents: Control.Event

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a publisher of a control's events.
  @inlinable
  public init(control: C, controlEvents: Control.Event) {
    self.control = control
    self.controlEvents = controlEvents
  }

  /// Attaches a subscriber.
  ///
  /// - Precondition: the caller is on the main actor.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<C, Never>) {
    requireMainActor()
    // Safety: the caller is on the main actor, and `downstream` doesn't leave it. (`ControlPublisherTests`)
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
    WeirControls.requireMainActor(toSubscribeTo: "\(C.self).publisher(for: \(controlEvents))")
  }
}

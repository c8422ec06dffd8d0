public import Weir

/// What happens to a control, as a publisher that sends nothing at the subscription.
///
///     tap                                     -t-t
///     button.rx.controlEvent(.touchUpInside)  -t-t
///
/// - Demand: never exceeded; an event for which there is no demand at its moment is dropped.
/// - Completion and cancellation: finishes when the control goes, which it doesn't keep.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Events come there.
public struct ControlEvent<Value>: _DirectPublisher {
  /// What an event carries.
  public typealias Output = Value

  /// It can't fail.
  public typealias Failure = Never

  private let events: AnyPublisher<Value, Never>

  @usableFromInline
  package let place = Place()

  /// Makes one of a publisher that keeps these rules: it sends on the main actor, ends with the control, and doesn't keep
  /// it.
  public init(events: some Publisher<Value, Never>) {
    self.events = events.eraseToAnyPublisher()
  }

  /// Attaches a downstream.
  ///
  /// - Precondition: the caller is on the main actor.
  public func _attach(_ downstream: Downstream<Value, Never>) {
    requireMainActor(toSubscribeTo: "A \(Self.self)")
    events._attach(downstream)
  }

  /// The same under a type that says less.
  public func asPublisher() -> AnyPublisher<Value, Never> {
    eraseToAnyPublisher()
  }

  /// The event itself.
  public func asControlEvent() -> ControlEvent<Value> { self }
}

// Safety: its publisher is subscribed to on the main actor, or `_attach(_:)` stops the program. (`ControlEventTests`)
extension ControlEvent: @unchecked Sendable {}

/// A control's events with what is read from the control each time; it doesn't keep the control.
struct ControlReadings<C: Control, Value>: _DirectPublisher {
  typealias Output = Value
  typealias Failure = Never

  private(set) weak var control: C?
  let controlEvents: Control.Event
  let read: @MainActor (C) -> Value

  func _attach(_ downstream: Downstream<Value, Never>) {
    guard let control else { return downstream.receive(emptyWith: .finished) }
    control.publisher(for: controlEvents).map { [read] control in assumingMainActor(control, read) }
      ._attach(downstream)
  }
}

extension Reactive where Base: Control {
  /// Some of the control's events.
  @MainActor
  public func controlEvent(_ controlEvents: Control.Event) -> ControlEvent<Void> {
    controlEvent(controlEvents) { _ in }
  }

  /// Some of the control's events, with what is read from the control each time.
  @MainActor
  public func controlEvent<Value>(
    _ controlEvents: Control.Event, read: @escaping @MainActor (Base) -> Value
  ) -> ControlEvent<Value> {
    ControlEvent(events: ControlReadings(control: base, controlEvents: controlEvents, read: read))
  }
}

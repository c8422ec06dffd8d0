public import Weir

/// A publisher of a control's event, without a value at the subscription.
///
///     tap                                     -t-t
///     button.rx.controlEvent(.touchUpInside)  -t-t
///
/// - Demand: never exceeded. An event that arrives without demand is dropped.
/// - Completion and cancellation: finishes when the control is deallocated, which the publisher doesn't retain.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Events arrive there.
public struct ControlEvent<Value>: _DirectPublisher {
  /// The value of an event.
  public typealias Output = Value

  /// It can't fail.
  public typealias Failure = Never

  private let events: AnyPublisher<Value, Never>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a control event from a publisher that conforms to these rules.
  ///
  /// It sends on the main actor, finishes when the control is deallocated, and doesn't retain the control.
  @MainActor
  public init(events: some Publisher<Value, Never>) {
    self.init(trusting: events.eraseToAnyPublisher())
  }

  /// Creates a control event from a publisher that was made on the main actor.
  init(trusting events: AnyPublisher<Value, Never>) {
    self.events = events
  }

  /// Attaches a downstream.
  ///
  /// - Precondition: the caller is on the main actor.
  public func _attach(_ downstream: consuming Downstream<Value, Never>) {
    requireMainActor(toSubscribeTo: "A \(Self.self)")
    events._attach(downstream)
  }

  /// Erases the type of this publisher.
  public func asPublisher() -> AnyPublisher<Value, Never> {
    eraseToAnyPublisher()
  }

  /// Returns this publisher.
  public func asControlEvent() -> ControlEvent<Value> { self }
}

// Safety: its publisher is made on the main actor, and subscribed to there, or `_attach(_:)` stops the program.
// (`ControlEventTests`)
extension ControlEvent: @unchecked Sendable {}

/// A control's events, each with a value that is read from the control, which is not retained.
struct ControlReadings<C: Control, Value>: _DirectPublisher {
  typealias Output = Value
  typealias Failure = Never

  private(set) weak var control: C?
  let controlEvents: Control.Event
  let read: @MainActor (C) -> Value

  func _attach(_ downstream: consuming Downstream<Value, Never>) {
    guard let control else { return Downstream.complete(downstream, with: .finished) }
    control.publisher(for: controlEvents).map { [read] control in assumingMainActor(control, read) }
      ._attach(downstream)
  }
}

extension Reactive where Base: Control {
  /// Selected events of the control.
  @MainActor
  public func controlEvent(_ controlEvents: Control.Event) -> ControlEvent<Void> {
    controlEvent(controlEvents) { _ in }
  }

  /// Selected events of the control, each with a value that is read from the control.
  @MainActor
  public func controlEvent<Value>(
    _ controlEvents: Control.Event, read: @escaping @MainActor (Base) -> Value
  ) -> ControlEvent<Value> {
    ControlEvent(events: ControlReadings(control: base, controlEvents: controlEvents, read: read))
  }
}

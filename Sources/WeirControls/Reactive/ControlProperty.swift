public import Weir

/// A value that a person changes: a publisher of it, and a subscriber that sets it.
///
///     slide to         -1-2-3
///     slider.rx.value  01-2-3
///     changed          -1-2-3
///
/// As a publisher it sends the current value, then each change that a person makes. What the program sets goes unnoticed,
/// as in UIKit, so that two properties may be bound to each other.
///
/// - Demand: never exceeded, as a subscriber it asks for everything. The current value comes at the first demand. A
///   subscriber without demand misses the changes meanwhile, and gets the current value at its next demand.
/// - Completion and cancellation: finishes when the control goes, which it doesn't keep. The end of what it is subscribed
///   to changes nothing.
/// - Threading: subscribe to it on the main actor; anywhere else it is a programming error. Values come there, also when
///   they are asked for elsewhere. What it is subscribed to may send on any thread, see ``Binder``.
public struct ControlProperty<Value>: _DirectPublisher, Subscriber {
  /// The value.
  public typealias Output = Value

  /// The value.
  public typealias Input = Value

  /// It can't fail.
  public typealias Failure = Never

  private let values: AnyPublisher<Value, Never>
  private let read: @MainActor () -> Value?
  private let binder: Binder<Value>

  @usableFromInline
  package let place = Place()

  /// Makes a property.
  ///
  /// - Parameters:
  ///   - values: the changes that a person makes, without the value at first. They come on the main actor and end with
  ///     the control.
  ///   - get: the current value, or `nil` when the control has gone. It must not keep the control.
  ///   - set: sets the value from the program. It must not keep the control.
  public init(
    values: some Publisher<Value, Never>, get: @escaping @MainActor () -> Value?,
    set: @escaping @MainActor (Value) -> Void
  ) {
    self.values = values.eraseToAnyPublisher()
    read = get
    binder = Binder(set)
  }

  /// Makes a property of the parts that RxCocoa makes it of.
  ///
  /// - Parameters:
  ///   - values: the current value at the subscription, then the changes that a person makes. They come on the main actor
  ///     and end with the control. It is subscribed to for each subscriber, and when the current value is to be read.
  ///   - valueSink: sets the value from the program. Only while it has demand: a ``Binder`` always has.
  ///     It is released with the property.
  @MainActor
  public init(values: some Publisher<Value, Never>, valueSink: some Subscriber<Value, Never>) {
    let sink = ValueSink(valueSink)
    // Safety: only the two closures access them, and run on the main actor. (`ControlPropertyTests`)
    nonisolated(unsafe) let (current, input) = (values.first(), sink)
    self.init(
      values: values.dropFirst(),
      get: {
        var value: Value?
        _ = current.sink { value = $0 }
        return value
      }, set: { input.send($0) })
  }

  /// The current value, or `nil` when the control has gone.
  @MainActor
  public var value: Value? { read() }

  /// Sets the value from the program: at once on the main actor, elsewhere as soon as that is free.
  public func set(_ value: Value) {
    _ = binder.receive(value)
  }

  // MARK: The publisher

  /// Attaches a subscriber.
  ///
  /// - Precondition: the caller is on the main actor.
  public func _attach(_ downstream: Downstream<Value, Never>) {
    requireMainActor(toSubscribeTo: "A \(Self.self)")
    PropertySubscription(downstream: downstream, read: read).open(values)
  }

  /// The changes that a person makes, without the value at first.
  public var changed: ControlEvent<Value> { ControlEvent(events: values) }

  /// The changes that a person makes, without the value at first.
  public func asControlEvent() -> ControlEvent<Value> { changed }

  /// The current value and the changes, under a type that says less.
  public func asPublisher() -> AnyPublisher<Value, Never> {
    eraseToAnyPublisher()
  }

  /// The property itself.
  public func asControlProperty() -> ControlProperty<Value> { self }

  // MARK: The subscriber

  /// Tells this property from others.
  public var combineIdentifier: CombineIdentifier { binder.combineIdentifier }

  /// Asks for everything.
  public func receive(subscription: any Subscription) {
    binder.receive(subscription: subscription)
  }

  /// Sets the value.
  public func receive(_ value: Value) -> Subscribers.Demand {
    binder.receive(value)
  }

  /// Does nothing.
  public func receive(completion: Subscribers.Completion<Never>) {}

  // MARK: Other shapes

  /// The same property in another type.
  ///
  ///     slide to                                                   -1   -2   -3
  ///     value.map(get: { Int($0) * 10 }, set: { Float($0 / 10) })  0'10'-'20'-'30'
  ///
  /// - Parameters:
  ///   - get: makes the other value of this one.
  ///   - set: makes this value of the other one.
  /// - Returns: the property with values of the other type.
  public func map<Other>(
    get: @escaping @MainActor (Value) -> Other, set: @escaping @MainActor (Other) -> Value
  ) -> ControlProperty<Other> {
    ControlProperty<Other>(
      values: values.map { assumingMainActor($0, get) }, get: { [read] in read().map { get($0) } },
      set: { [lane = binder.lane] in lane.put(set($0)) })
  }
}

// Safety: its publisher is subscribed to on the main actor, or `_attach(_:)` stops the program. The values to set pass
// through the binder, which is `Sendable`. (`ControlPropertyTests`)
extension ControlProperty: @unchecked Sendable where Value: Sendable {}

extension ControlProperty where Value == String? {
  /// The same property with an empty text instead of none.
  public var orEmpty: ControlProperty<String> {
    map(get: { $0 ?? "" }, set: { $0 })
  }
}

extension Reactive where Base: Control {
  /// A property of the control, which a person changes with these events.
  @MainActor
  public func controlProperty<Value>(
    editingEvents: Control.Event, getter: @escaping @MainActor (Base) -> Value,
    setter: @escaping @MainActor (Base, Value) -> Void
  ) -> ControlProperty<Value> {
    weak let base = base
    return ControlProperty(
      values: ControlReadings(control: base, controlEvents: editingEvents, read: getter), get: { base.map(getter) },
      set: { value in
        if let base { setter(base, value) }
      })
  }

  /// A property of the control, which a person changes with these events; an equal value isn't set again.
  @MainActor
  public func controlProperty<Value: Equatable>(
    editingEvents: Control.Event, getter: @escaping @MainActor (Base) -> Value,
    setter: @escaping @MainActor (Base, Value) -> Void
  ) -> ControlProperty<Value> {
    weak let base = base
    return ControlProperty(
      values: ControlReadings(control: base, controlEvents: editingEvents, read: getter), get: { base.map(getter) },
      set: { value in
        if let base, getter(base) != value { setter(base, value) }
      })
  }
}

public import Weir
package import WeirRx

/// A value that a person changes: a publisher of the value, and a subscriber that sets it.
///
///     slide to         -1-2-3
///     slider.rx.value  01-2-3
///     changed          -1-2-3
///
/// As a publisher it sends the current value, and then each change by a person. It sends no value that the application
/// sets, as in UIKit, so two properties can be bound to each other.
///
/// - Demand: never exceeded; as a subscriber, the property requests unlimited demand. It delivers the current value at
///   the first demand. A subscriber without demand misses changes, and receives the current value at its next demand.
/// - Completion and cancellation: finishes when the control is deallocated, which the property doesn't retain. It
///   ignores the completion of its upstream.
/// - Threading: subscribe on the main actor; anywhere else it is a programming error. Values arrive there, also when
///   another thread requests them. An upstream may send on any thread, see ``Binder``.
public struct ControlProperty<Value>: _DirectPublisher, Subscriber {
  /// The type of the value.
  public typealias Output = Value

  /// The type of the value.
  public typealias Input = Value

  /// It can't fail.
  public typealias Failure = Never

  private let values: AnyPublisher<Value, Never>
  private let read: @MainActor () -> Value?
  private var binder: Binder<Value>

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a property.
  ///
  /// - Parameters:
  ///   - values: The changes by a person, without the initial value. The publisher sends on the main actor, and
  ///     finishes when the control is deallocated.
  ///   - get: Returns the current value, or `nil` after the control has been deallocated. It must not retain the
  ///     control.
  ///   - set: Sets the value from the application. It must not retain the control.
  @MainActor
  public init(
    values: some Publisher<Value, Never>, get: @escaping @MainActor () -> Value?,
    set: @escaping @MainActor (Value) -> Void
  ) {
    self.init(trusting: values.eraseToAnyPublisher(), get: get, set: set)
  }

  /// Creates a property whose publisher was made on the main actor.
  private init(
    trusting values: AnyPublisher<Value, Never>, get: @escaping @MainActor () -> Value?,
    set: @escaping @MainActor (Value) -> Void
  ) {
    self.values = values
    read = get
    binder = Binder(set)
  }

  /// Creates a property from the two parts that RxCocoa's initializer takes.
  ///
  /// - Parameters:
  ///   - values: The current value at the subscription, then the changes by a person. The publisher sends on the main
  ///     actor, and finishes when the control is deallocated. The property subscribes to it for each of its own
  ///     subscribers, and to read the current value.
  ///   - valueSink: A subscriber that sets the value. It is called only while it has demand; a ``Binder`` always has.
  ///     The property retains it.
  @MainActor
  public init(values: some Publisher<Value, Never>, valueSink: some Subscriber<Value, Never>) {
    let sink = ValueSink(valueSink)
    // Safety: only the two closures access the values, and run on the main actor. (`ControlPropertyTests`)
    nonisolated(unsafe) let (current, input) = (values.first(), sink)
    self.init(
      values: values.dropFirst(),
      get: {
        var value: Value?
        _ = current.sink { value = $0 }
        return value
      }, set: { input.send($0) })
  }

  /// The current value, or `nil` after the control has been deallocated.
  @MainActor
  public var value: Value? { read() }

  /// Sets the value from the application: immediately on the main actor, otherwise after a hop.
  public func set(_ value: Value) {
    _ = binder.receive(value)
  }

  // MARK: The publisher

  /// Attaches a subscriber.
  ///
  /// - Precondition: the caller is on the main actor.
  public func _attach(_ downstream: consuming Downstream<Value, Never>) {
    requireMainActor(toSubscribeTo: "A \(Self.self)")
    PropertySubscription(downstream: downstream, read: read).open(values)
  }

  /// The changes by a person, without the initial value.
  public var changed: ControlEvent<Value> { ControlEvent(trusting: values) }

  /// The changes by a person, without the initial value.
  public func asControlEvent() -> ControlEvent<Value> { changed }

  /// Erases the type of this publisher.
  public func asPublisher() -> AnyPublisher<Value, Never> {
    eraseToAnyPublisher()
  }

  /// Returns this property.
  public func asControlProperty() -> ControlProperty<Value> { self }

  // MARK: The subscriber

  /// The identity of this property.
  public var combineIdentifier: CombineIdentifier { binder.combineIdentifier }

  /// Requests unlimited demand.
  public func receive(subscription: any Subscription) {
    binder.receive(subscription: subscription)
  }

  /// Sets the value.
  public func receive(_ value: Value) -> Subscribers.Demand {
    binder.receive(value)
  }

  /// Ignores the finish.
  public func receive(completion: Subscribers.Completion<Never>) {}

  // MARK: Other shapes

  /// Converts this property to another value type.
  ///
  ///     slide to                                                   -1   -2   -3
  ///     value.map(get: { Int($0) * 10 }, set: { Float($0 / 10) })  0'10'-'20'-'30'
  ///
  /// - Parameters:
  ///   - get: Converts this property's value to the other type.
  ///   - set: Converts a value of the other type to this property's type.
  /// - Returns: The property with values of the other type.
  public func map<Other>(
    get: @escaping @MainActor (Value) -> Other, set: @escaping @MainActor (Other) -> Value
  ) -> ControlProperty<Other> {
    ControlProperty<Other>(
      trusting: values.map { assumingMainActor($0, get) }.eraseToAnyPublisher(),
      get: { [read] in read().map { get($0) } }, set: { [lane = binder.lane] in lane.put(Binder.Bound(value: set($0))) }
    )
  }
}

extension ControlProperty: DeferringSubscriber {
  package func dropping(after cancellation: AtomicFlag) -> Self {
    var property = self
    property.binder = binder.dropping(after: cancellation)
    return property
  }
}

// Safety: its publisher is made and subscribed to on the main actor, or `_attach(_:)` stops the program. Values to set pass
// through the binder, which is `Sendable`. (`ControlPropertyTests`)
extension ControlProperty: @unchecked Sendable where Value: Sendable {}

extension ControlProperty where Value == String? {
  /// The same property with an empty text instead of `nil`.
  public var orEmpty: ControlProperty<String> {
    map(get: { $0 ?? "" }, set: { $0 })
  }
}

extension Reactive where Base: Control {
  /// Creates a property of the control that a person changes with these events.
  @MainActor
  public func controlProperty<Value>(
    editingEvents: Control.Event, getter: @escaping @MainActor (Base) -> Value,
    setter: @escaping @MainActor (Base, Value) -> Void
  ) -> ControlProperty<Value> {
    property(editingEvents, getter, setter)
  }

  /// Creates a property of the control that a person changes with these events; skips equal values when it is set.
  @MainActor
  public func controlProperty<Value: Equatable>(
    editingEvents: Control.Event, getter: @escaping @MainActor (Base) -> Value,
    setter: @escaping @MainActor (Base, Value) -> Void
  ) -> ControlProperty<Value> {
    property(editingEvents, getter) { base, value in
      if getter(base) != value { setter(base, value) }
    }
  }

  @MainActor
  private func property<Value>(
    _ editingEvents: Control.Event, _ getter: @escaping @MainActor (Base) -> Value,
    _ setter: @escaping @MainActor (Base, Value) -> Void
  ) -> ControlProperty<Value> {
    weak let base = base
    return ControlProperty(
      values: ControlReadings(control: base, controlEvents: editingEvents, read: getter), get: { base.map(getter) },
      set: { value in
        if let base { setter(base, value) }
      })
  }
}

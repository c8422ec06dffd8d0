public import Weir

infix operator <-> : DefaultPrecedence

/// Keeps two values the same, from now on until the result is dropped: the left one gets the right one's value first.
///
///     (textField.rx.text.orEmpty <-> username).store(in: &bag)
///
/// See ``bind(_:to:)``.
public func <-> <Left: TwoWay, Right: TwoWay>(left: Left, right: Right) -> AnyCancellable
where Left.Value == Right.Value {
  bind(left, to: right)
}

/// Keeps two values the same, from now on until the result is dropped: the first gets the second's value first.
///
/// A change is carried to the other side once, and not back: also in a ring of bindings, and whatever the values are, for
/// they need not be `Equatable`. A side that corrects what it gets, such as a text that trims itself, sends the corrected
/// value back; two sides that never agree are left as they are after a few steps.
///
/// - Demand: unlimited, for what the sides tell. The sides are states: what is carried is the value that a side has when
///   its turn comes, so values in between may be left out.
/// - Completion and cancellation: ends when either side's changes end: a property's object goes, a subject or channel ends.
///   Dropping the result ends it too. Relays and channels are kept by the binding, a property's object is not.
/// - Threading: a side is set on the thread on which the other one changes. While one thread carries a value, another
///   leaves its change there and goes on. When both sides change at once, the one that was heard of last stays on both.
///   The property of a control is set on the main actor: at once when the change comes there, else as soon as that is free.
///
/// ### When a side belongs to the main actor
///
/// A relay may change on any thread, and then the binding sets the other side on that thread. So when a model of the main
/// actor is bound to what changes elsewhere, its setter runs off the main actor, which Swift can't see here: it is a data
/// race, or stops the program where the setter checks. Let the change come over to the main actor before the binding hears
/// of it:
///
///     let name = CurrentValueRelay("")
///     bind(name, to: model, \.username)  // both belong to the main actor
///     downloads.receive(on: MainScheduler.shared).bind(to: name)  // or downloads.asDriver().drive(name)
///
/// - Precondition: the two sides are not the same property, or ends of the same channel.
public func bind<Left: TwoWay, Right: TwoWay>(_ left: Left, to right: Right) -> AnyCancellable
where Left.Value == Right.Value {
  bind(left, to: right, map: { $0 }, unmap: { $0 })
}

/// Keeps two values in step by a conversion, from now on until the result is dropped: the first gets the second's value
/// first.
///
/// See ``bind(_:to:)`` for the rest.
///
/// - Parameters:
///   - left: the side that gets the other's value first.
///   - right: the other side.
///   - map: makes the right value of a left one.
///   - unmap: makes the left value of a right one.
/// - Returns: what ends the binding when it is cancelled or dropped.
public func bind<Left: TwoWay, Right: TwoWay>(
  _ left: Left, to right: Right, map: @escaping (Left.Value) -> Right.Value,
  unmap: @escaping (Right.Value) -> Left.Value
) -> AnyCancellable {
  let binding = TwoWayBinding<Left, Right>((left, right, map, unmap, { _ in }, {}))
  binding.start()
  return AnyCancellable(binding)
}

/// Keeps two values in step by a conversion that may fail, from now on until the result is dropped: the first gets the
/// second's value first.
///
///     let binding = bind(textField.rx.text.orEmpty, to: age, tryMap: { try Int($0, format: .number) }, tryUnmap: { "\($0)" })
///     binding.failures.sink { error in … }
///
/// When a conversion throws, the other side stays as it is, and ``ConvertingBinding/failures`` sends the error. See
/// ``bind(_:to:)`` for the rest.
///
/// - Parameters:
///   - left: the side that gets the other's value first.
///   - right: the other side.
///   - map: makes the right value of a left one, or throws.
///   - unmap: makes the left value of a right one, or throws.
/// - Returns: what ends the binding when it is cancelled or dropped.
public func bind<Left: TwoWay, Right: TwoWay>(
  _ left: Left, to right: Right, tryMap map: @escaping (Left.Value) throws -> Right.Value,
  tryUnmap unmap: @escaping (Right.Value) throws -> Left.Value
) -> ConvertingBinding {
  let failures = ReplaySubject<any Error, Never>(bufferSize: 1)
  let binding = TwoWayBinding<Left, Right>(
    (left, right, map, unmap, { failures.send($0) }, { failures.send(completion: .finished) }))
  binding.start()
  return ConvertingBinding(binding, failures: failures.eraseToAnyPublisher())
}

/// Keeps a value and an object's property the same, from now on until the result is dropped: the value gets the
/// property's first.
///
///     bind(textField.rx.text.orEmpty, to: model, \.username)
///
/// See ``bind(_:to:)``, and ``PropertyChannel`` for the properties that can be observed.
///
/// - Parameters:
///   - left: the side that gets the property's value first.
///   - object: the object, which is not kept.
///   - keyPath: the property.
///   - isolation: where a property of an `@Observable` class is read after a change: the caller's actor.
/// - Returns: what ends the binding when it is cancelled or dropped.
public func bind<Left: TwoWay, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>,
  isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, isolation: isolation))
}

/// Keeps a value and an object's optional property the same, with a value that stands in for `nil`.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWay, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value?>, nilValue: Left.Value,
  isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, nilValue: nilValue, isolation: isolation))
}

/// Keeps a value and a property of an `@Observable` object the same; after a change the property is read on a scheduler.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWay, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>, on scheduler: some Scheduler
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, on: scheduler))
}

/// Keeps a value and a property the same whose changes a publisher tells of.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWay, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>,
  changes: some Publisher<some Any, Never>
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, changes: changes))
}

/// A binding whose conversions may fail.
///
/// - Completion and cancellation: it ends when it is cancelled or dropped, or when a side ends.
/// - Threading: may be cancelled on any thread.
public final class ConvertingBinding: Cancellable {
  /// The errors of the conversions.
  ///
  /// - Demand: each subscriber's own; who comes later, or can't keep up, gets the last one.
  /// - Completion and cancellation: finishes when a side ends.
  /// - Threading: sends where the side changes whose value can't be converted.
  public let failures: AnyPublisher<any Error, Never>

  private let binding: AnyCancellable

  init(_ binding: some Cancellable, failures: AnyPublisher<any Error, Never>) {
    self.binding = AnyCancellable(binding)
    self.failures = failures
  }

  /// Ends the binding.
  public func cancel() {
    binding.cancel()
  }
}

public import Weir

infix operator <-> : DefaultPrecedence

/// Keeps two values equal until the result is released.
///
/// The left one starts with the right one's value.
///
///     (textField.rx.text.orEmpty <-> username).store(in: &bag)
///
/// See ``bind(_:to:)``.
@inlinable
public func <-> <Left: TwoWayBindable, Right: TwoWayBindable>(left: Left, right: Right) -> AnyCancellable
where Left.Value == Right.Value {
  bind(left, to: right)
}

/// Keeps two values equal until the result is released.
///
/// The first starts with the second's value.
///
/// A change propagates to the other side exactly once, also in a cycle of bindings. Values are not compared, so they
/// need not be `Equatable`. A side can correct a value that is set, such as a text field that trims its text; the
/// corrected value propagates back. If two sides never agree, propagation stops after a few steps.
///
/// Along a chain of bindings a change propagates in nested calls, each of which takes about 4 KB of the stack. So a chain
/// of a thousand fits the 8 MB of a main thread.
///
/// - Demand: unlimited, for the changes of both sides. A side is a state: the binding propagates the value that the
///   side has at that time, so intermediate values may be skipped.
/// - Completion and cancellation: the binding terminates when either side's `changes` complete: a property's object is
///   deallocated, or a subject or channel completes. Releasing the result terminates it too. The binding retains relays
///   and channels, but holds a property's object weakly.
/// - Threading: a side is set on the thread on which the other side changes. While one thread propagates a change,
///   other threads enqueue theirs and return. After 200 of these, the next thread that makes a change continues, or a
///   new thread. If both sides change concurrently, the change that was observed last wins on both. A control's
///   property is set on the main actor, and an object's property on the actor on which its channel or binding was
///   created, such as the main actor: immediately when the change arrives there, otherwise after a hop. Conversions run
///   there, too.
///
/// - Precondition: the two sides are neither the same property nor the two ends of one channel.
@inlinable
public func bind<Left: TwoWayBindable, Right: TwoWayBindable>(_ left: Left, to right: Right) -> AnyCancellable
where Left.Value == Right.Value {
  bind(left, to: right, map: { $0 }, unmap: { $0 })
}

/// Keeps two values consistent by a conversion until the result is released.
///
/// The first starts with the second's value, converted.
///
/// See ``bind(_:to:)`` for the rest.
///
/// - Parameters:
///   - left: The side that receives the other's value first.
///   - right: The other side.
///   - map: Converts a left value to a right value.
///   - unmap: Converts a right value to a left value.
/// - Returns: A cancellable that terminates the binding when it is cancelled or released.
@inlinable
public func bind<Left: TwoWayBindable, Right: TwoWayBindable>(
  _ left: Left, to right: Right, map: @escaping (Left.Value) -> Right.Value,
  unmap: @escaping (Right.Value) -> Left.Value
) -> AnyCancellable {
  let binding = TwoWayBinding(
    BindingEndpoint(left, to: right, map, onFailure: { _ in }),
    BindingEndpoint(right, to: left, unmap, onFailure: { _ in }))
  binding.start()
  return AnyCancellable(binding)
}

/// Keeps two values consistent by a throwing conversion until the result is released.
///
/// The first starts with the second's value, converted.
///
///     let binding = bind(textField.rx.text.orEmpty, to: age, tryMap: { try Int($0, format: .number) }, tryUnmap: { "\($0)" })
///     binding.failures.sink { error in … }
///
/// When a conversion throws, the other side keeps its value, and ``ConvertingBinding/failures`` sends the error. See
/// ``bind(_:to:)`` for the rest.
///
/// - Parameters:
///   - left: The side that receives the other's value first.
///   - right: The other side.
///   - map: Converts a left value to a right value, or throws.
///   - unmap: Converts a right value to a left value, or throws.
/// - Returns: A binding that terminates when it is cancelled or released.
@inlinable
public func bind<Left: TwoWayBindable, Right: TwoWayBindable>(
  _ left: Left, to right: Right, tryMap map: @escaping (Left.Value) throws -> Right.Value,
  tryUnmap unmap: @escaping (Right.Value) throws -> Left.Value
) -> ConvertingBinding {
  let failures = ReplaySubject<any Error, Never>(bufferSize: 1)
  let binding = TwoWayBinding(
    BindingEndpoint(left, to: right, map, onFailure: { failures.send($0) }),
    BindingEndpoint(right, to: left, unmap, onFailure: { failures.send($0) }),
    onEnd: { failures.send(completion: .finished) })
  binding.start()
  return ConvertingBinding(binding, failures: failures.eraseToAnyPublisher())
}

/// Keeps a value and an object's property equal until the result is released.
///
/// The value starts with the property's value.
///
///     bind(textField.rx.text.orEmpty, to: model, \.username)
///
/// See ``bind(_:to:)``, and ``PropertyChannel`` for the properties that can be observed.
///
/// - Parameters:
///   - left: The side that receives the property's value first.
///   - object: The object, which is held weakly.
///   - keyPath: The property.
///   - isolation: The actor on which the property is read and set: the caller's.
/// - Returns: A cancellable that terminates the binding when it is cancelled or released.
public func bind<Left: TwoWayBindable, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>,
  isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, isolation: isolation))
}

/// Keeps a value and an object's optional property equal; `nilValue` stands for `nil`.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWayBindable, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value?>, nilValue: Left.Value,
  isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, nilValue: nilValue, isolation: isolation))
}

/// Keeps a value and an `@Observable` object's property equal, and observes the property's changes on a scheduler.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWayBindable, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>, on scheduler: some Scheduler,
  isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, on: scheduler, isolation: isolation))
}

/// Keeps a value and a property equal, whose changes a publisher announces.
///
/// See ``bind(_:to:_:isolation:)``.
public func bind<Left: TwoWayBindable, Root: AnyObject>(
  _ left: Left, to object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Left.Value>,
  changes: some Publisher<some Any, Never>, isolation: (any Actor)? = #isolation
) -> AnyCancellable {
  bind(left, to: PropertyChannel(object, keyPath, changes: changes, isolation: isolation))
}

// Safety: both properties are constant and thread-safe: the publisher erases a `ReplaySubject`. (`SendableTests`)
/// A binding whose conversions can fail.
///
/// - Completion and cancellation: the binding terminates when it is cancelled or released, or when a side completes.
/// - Threading: may be cancelled on any thread.
public final class ConvertingBinding: Cancellable, @unchecked Sendable {
  /// The errors of the conversions.
  ///
  /// - Demand: each subscriber's own. A new or slow subscriber receives the latest error.
  /// - Completion and cancellation: finishes when a side completes.
  /// - Threading: sends on the thread that changed the value that can't be converted.
  public let failures: AnyPublisher<any Error, Never>

  private let binding: AnyCancellable

  @usableFromInline
  init(_ binding: some Cancellable, failures: AnyPublisher<any Error, Never>) {
    self.binding = AnyCancellable(binding)
    self.failures = failures
  }

  /// Terminates the binding.
  public func cancel() {
    binding.cancel()
  }
}

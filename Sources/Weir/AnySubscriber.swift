/// A type-erased subscriber.
///
/// - Demand, completion and cancellation, threading: those of the wrapped subscriber.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, OperatorReflectable {
  @usableFromInline
  let box: Box

  /// The closures in one object, so that a copy of the subscriber retains one reference.
  ///
  /// Each closure is created where the subscriber's type is known, so the code in it is specialized.
  @usableFromInline
  final class Box {
    @usableFromInline
    let identifier: CombineIdentifier

    @usableFromInline
    let receiveValue: (Input) -> Subscribers.Demand

    @usableFromInline
    let receiveSubscription: (any Subscription) -> Void

    @usableFromInline
    let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

    @usableFromInline
    let wrapped: () -> Any

    @inlinable
    init(
      identifier: CombineIdentifier, receiveSubscription: @escaping (any Subscription) -> Void,
      receiveValue: @escaping (Input) -> Subscribers.Demand,
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, wrapped: @escaping () -> Any
    ) {
      self.identifier = identifier
      self.receiveSubscription = receiveSubscription
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
      self.wrapped = wrapped
    }
  }

  /// Wraps a subscriber.
  @inlinable
  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    if let same = subscriber as? AnySubscriber {
      self = same
    } else {
      box = Box(
        identifier: subscriber.combineIdentifier,
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: { subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) },
        wrapped: { subscriber })
    }
  }

  /// Creates a subscriber that sends its events into a subject, and requests what the subject requests.
  @inlinable
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }

  /// Creates a subscriber from closures.
  ///
  /// Without `receiveSubscription` it requests nothing. Without `receiveValue` it returns no further demand. Calls of
  /// the closures are serialized, also for a publisher that delivers on several threads concurrently.
  @inlinable
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    let turnstile = Turnstile(inspector: Inspector.ifWanted())
    let (begin, next) = (receiveSubscription ?? { _ in }, receiveValue ?? { _ in .none })
    let end = receiveCompletion ?? { _ in }
    box = Box(
      identifier: CombineIdentifier(),
      receiveSubscription: { turnstile.receive(subscription: $0, begin) },
      receiveValue: { turnstile.enter() ? turnstile.leave(answering: next($0)) : turnstile.receive($0, next) },
      receiveCompletion: { turnstile.receive(completion: $0, end) },
      wrapped: { "Anonymous AnySubscriber" })
  }

  var erased: Any { box.wrapped() }

  /// The identifier of the wrapped subscriber.
  public var combineIdentifier: CombineIdentifier { box.identifier }

  /// The description of the wrapped subscriber.
  public var description: String { String(describing: box.wrapped()) }

  /// The mirror of the wrapped subscriber.
  public var customMirror: Mirror { Mirror(reflecting: box.wrapped()) }

  /// The playground description of the wrapped subscriber.
  public var playgroundDescription: Any {
    (box.wrapped() as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }

  /// Forwards the subscription.
  @inlinable
  public func receive(subscription: any Subscription) {
    box.receiveSubscription(subscription)
  }

  /// Forwards the value.
  @inlinable
  public func receive(_ value: Input) -> Subscribers.Demand {
    box.receiveValue(value)
  }

  /// Forwards the completion.
  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) {
    box.receiveCompletion(completion)
  }
}

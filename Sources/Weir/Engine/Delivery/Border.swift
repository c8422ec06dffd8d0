extension Publisher {
  /// Subscribes with a border, because a publisher outside of Weir doesn't know downstreams.
  ///
  /// As in Combine, the border forwards all events unchanged, including those that violate a rule. It serializes
  /// threads.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    if downstream.face.itself is any Subscription {
      receive(subscriber: SubscribingBorder(downstream, behind: Self.self))
    } else {
      receive(subscriber: Border(downstream, behind: Self.self))
    }
  }
}

/// The subscriber that a publisher outside of Weir receives.
///
/// It has the identity, description and mirror of the downstream's own subscriber.
@usableFromInline
class Border<Input, Failure: Error>: Turnstile, Subscriber, OperatorReflectable {
  @usableFromInline
  final let downstream: Downstream<Input, Failure>

  /// Creates a border in front of one of Weir's publishers, or for a mirror.
  @usableFromInline
  init(_ downstream: consuming Downstream<Input, Failure>) {
    self.downstream = downstream
    super.init()
  }

  @usableFromInline
  init(_ downstream: consuming Downstream<Input, Failure>, behind publisher: any Any.Type) {
    self.downstream = downstream
    super.init(
      behind: publisher, inspector: Inspector.ifWanted(of: publisher, before: downstream.face.subscriber()))
  }

  override func request(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    downstream.face.request(demand, from: subscription._object)
  }

  @usableFromInline
  final var combineIdentifier: CombineIdentifier { downstream.face.subscriber().combineIdentifier }

  @usableFromInline
  final var description: String { downstream.face.name ?? String(describing: erased) }

  @usableFromInline
  final var customMirror: Mirror {
    if let itself = downstream.face.itself { return Mirror(reflecting: itself) }
    return Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }

  @usableFromInline
  final var playgroundDescription: Any {
    (downstream.face.itself as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }

  @usableFromInline
  final func receive(subscription: any Subscription) {
    receive(subscription: forwarded(subscription), downstream.begin)
  }

  /// Returns the subscription as an object that one of Weir's subscribers holds, and the turnstile weakly.
  ///
  /// A user's subscriber receives what its publisher sends, because it could observe another object, or not hold it.
  private func forwarded(_ subscription: any Subscription) -> any Subscription {
    if type(of: subscription) is AnyClass { return subscription }
    let subscriber = downstream.face.subscriber()
    let isOwn = subscriber is any OperatorReflectable && !(subscriber is any ErasingSubscriber)
    return isOwn ? subscription._object : subscription
  }

  @inlinable
  final func receive(_ input: Input) -> Subscribers.Demand {
    if enter() { return leave(answering: downstream.next(input)) }
    return receive(input, downstream.next)
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>) {
    receive(completion: completion, downstream.end)
  }
}

extension Border: ConditionalOperatorSubscriber {
  var isInner: Bool { downstream.face.isInner }

  var erased: Any { downstream.face.itself ?? self }
}

/// The border in front of an operator whose subscriber is also a subscription.
@usableFromInline
final class SubscribingBorder<Input, Failure: Error>: Border<Input, Failure>, Subscription {
  private var subscription: (any Subscription)? { downstream.face.itself as? any Subscription }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() {
    subscription?.cancel()
  }
}

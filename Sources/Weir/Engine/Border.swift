extension Publisher {
  /// Subscribes with a border: a publisher that is not Weir's knows nothing of downstreams.
  ///
  /// It passes on what comes as it comes, also what breaks a rule, because Combine does. Only one thread at a time gets through.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    if downstream.face.itself is any Subscription {
      receive(subscriber: SubscribingBorder(downstream))
    } else {
      receive(subscriber: Border(downstream))
    }
  }
}

/// The subscriber that a publisher outside of Weir gets, which shows what the downstream's own subscriber shows.
///
/// Such a publisher may deliver on several threads at once. The first one gets through; what the others bring meanwhile waits for it,
/// in some order, and nothing is lost. What comes from inside a delivery, on the same thread, goes on at once.
@usableFromInline
class Border<Input, Failure: Error>: Subscriber, Described {
  @usableFromInline
  final let downstream: Downstream<Input, Failure>

  @usableFromInline
  final let gate = Gate()

  /// What other threads have brought while one was inside.
  @usableFromInline
  final let inbox = Locked<[() -> Subscribers.Demand]>([])

  @usableFromInline
  init(_ downstream: Downstream<Input, Failure>) {
    self.downstream = downstream
  }

  @usableFromInline
  final var combineIdentifier: CombineIdentifier { downstream.face.subscriber().combineIdentifier }

  @usableFromInline
  final var description: String { downstream.face.name?.description ?? String(describing: erased) }

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
    let more = pass {
      self.downstream.begin(subscription)
      return .none
    }
    if more != .none { subscription.request(more) }
  }

  // Performance: not by `pass`, which forms a function for each value.
  @usableFromInline
  final func receive(_ input: Input) -> Subscribers.Demand {
    switch gate.enter() {
    case .entered:
      let more = downstream.next(input)
      return gate.leave() ? more : drain(answering: more)
    case .nested:
      return downstream.next(input)
    case .busy:
      return leave { self.downstream.next(input) }
    }
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>) {
    _ = pass {
      self.downstream.end(completion)
      return .none
    }
  }

  private final func pass(_ event: @escaping () -> Subscribers.Demand) -> Subscribers.Demand {
    switch gate.enter() {
    case .entered:
      let more = event()
      return gate.leave() ? more : drain(answering: more)
    case .nested:
      return event()
    case .busy:
      return leave(event)
    }
  }

  @inline(never)
  private final func leave(_ event: @escaping () -> Subscribers.Demand) -> Subscribers.Demand {
    inbox.withLock { $0.append(event) }
    return gate.knock() ? drain(answering: .none) : .none
  }

  /// Passes on what other threads have brought; the result is the demand that it brought, added to `demand`.
  @inline(never)
  private final func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    repeat {
      let events = inbox.withLock { inbox in
        var events: [() -> Subscribers.Demand] = []
        swap(&events, &inbox)
        return events
      }
      for event in events { more += event() }
    } while !gate.leave()
    return more
  }
}

extension Border: ConditionallyInner {
  var isInner: Bool { downstream.face.isInner }

  var erased: Any { downstream.face.itself ?? self }
}

/// The border in front of an operator whose subscriber is a subscription, too.
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

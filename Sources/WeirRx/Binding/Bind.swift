public import Weir

extension Publisher where Failure == Never {
  /// Sends the values of this publisher into relays.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: sends to the relays where this publisher delivers, in the order of the arguments.
  public func bind(to relay: any Relay<Output>, _ more: any Relay<Output>...) -> AnyCancellable {
    forward(into: [relay] + more)
  }

  /// Sends the values of this publisher into relays of optional values.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: sends to the relays where this publisher delivers, in the order of the arguments.
  public func bind(to relay: any Relay<Output?>, _ more: any Relay<Output?>...) -> AnyCancellable {
    map(Output?.some).forward(into: [relay] + more)
  }

  /// Sends the values and the completion of this publisher into subjects.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion completes the subjects. Releasing the result cancels the
  ///   subscription.
  /// - Threading: sends to the subjects where this publisher delivers, in the order of the arguments.
  public func bind(to subject: any Subject<Output, Never>, _ more: any Subject<Output, Never>...) -> AnyCancellable {
    forward(into: [subject] + more)
  }

  /// Attaches subscribers to one subscription of this publisher; the result cancels them all.
  ///
  /// - Demand: a single subscriber's own demand. With several subscribers, this method requests unlimited demand from
  ///   this publisher, and each subscriber receives the values that arrive while it has demand.
  /// - Completion and cancellation: subscribers receive the completion, but no event after a cancellation. Releasing
  ///   the result cancels the subscription.
  /// - Threading: values arrive where this publisher delivers, in the order of the subscribers.
  public func bind(to subscriber: any Subscriber<Output, Never>, _ more: any Subscriber<Output, Never>...)
    -> AnyCancellable
  {
    attach([subscriber] + more)
  }

  /// Attaches subscribers of optional values to one subscription; the result cancels them all.
  ///
  /// - Demand: a single subscriber's own demand. With several subscribers, this method requests unlimited demand from
  ///   this publisher, and each subscriber receives the values that arrive while it has demand.
  /// - Completion and cancellation: subscribers receive the completion, but no event after a cancellation. Releasing
  ///   the result cancels the subscription.
  /// - Threading: values arrive where this publisher delivers, in the order of the subscribers.
  public func bind(to subscriber: any Subscriber<Output?, Never>, _ more: any Subscriber<Output?, Never>...)
    -> AnyCancellable
  {
    map(Output?.some).attach([subscriber] + more)
  }

  /// Passes this publisher to a function, and returns the function's result.
  ///
  /// A closure without a label is one for the values, unless it uses this publisher.
  ///
  /// - Demand, completion and cancellation, threading: defined by the function.
  @_disfavoredOverload
  public func bind<Result>(to binder: (Self) -> Result) -> Result {
    binder(self)
  }

  /// Calls a closure with each value.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the completion is ignored. Releasing the result cancels the subscription.
  /// - Threading: the closure runs where this publisher delivers. A closure that is formed on an actor is isolated to
  ///   it, as with `sink`: the program stops with a message if the publisher delivers elsewhere.
  @inlinable
  public func bind(
    onNext: @escaping @isolated(any) (Output) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AnyCancellable {
    let onNext: (Output) -> Void = confined(onNext, "bind", of: Self.self, fileID, line)
    return sink { onNext($0) }
  }

  /// Calls a closure with each value and an object, which is held weakly.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: the closure no longer runs after the object has been deallocated. Releasing the
  ///   result cancels the subscription.
  /// - Threading: the closure runs where this publisher delivers. A closure that is formed on an actor is isolated to
  ///   it, as with `sink`: the program stops with a message if the publisher delivers elsewhere.
  @inlinable
  public func bind<Object: AnyObject>(
    with object: Object, onNext: @escaping @isolated(any) (Object, Output) -> Void, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AnyCancellable {
    let onNext: (Object, Output) -> Void = confined(onNext, "bind", of: Self.self, fileID, line)
    return sink { [weak object] value in
      if let object { onNext(object, value) }
    }
  }

  // MARK: -

  @inlinable
  func forward(into relays: [any Relay<Output>]) -> AnyCancellable {
    sink { value in
      for relay in relays { relay.accept(value) }
    }
  }

  @inlinable
  func forward(into subjects: [any Subject<Output, Never>]) -> AnyCancellable {
    sink(
      receiveCompletion: { completion in
        for subject in subjects { subject.send(completion: completion) }
      },
      receiveValue: { value in
        for subject in subjects { subject.send(value) }
      })
  }

  @usableFromInline
  func attach(_ subscribers: [any Subscriber<Output, Never>]) -> AnyCancellable {
    if subscribers.count == 1 { return AnyCancellable(attach(subscribers[0])) }
    let shared = multicast { PassthroughSubject<Output, Never>() }
    var parts: [any Cancellable] = subscribers.map { shared.attach($0) }
    parts.append(shared.connect())
    return AnyCancellable { [parts] in
      for part in parts { part.cancel() }
    }
  }

  private func attach<Receiver: Subscriber<Output, Never>>(_ subscriber: Receiver) -> Attachment {
    let attachment = Attachment()
    let events = handleEvents(
      receiveSubscription: { attachment.attach($0) }, receiveCompletion: { _ in attachment.finish() })
    if let keeper = subscriber as? any UpstreamKeeping {
      let number = keeper.addUpstream()
      events.subscribe(Keeper(subscriber: subscriber, keeper: keeper, number: number, attachment: attachment))
    } else if let deferring = subscriber as? any DeferringSubscriber,
      let own = deferring.dropping(after: attachment.cancellation) as? Receiver
    {
      events.subscribe(own)
    } else {
      events.subscribe(subscriber)
    }
    return attachment
  }
}

extension Publisher {
  /// Attaches subscribers that can't receive a failure; the result cancels them all.
  ///
  /// - Demand: a single subscriber's own demand. With several subscribers, this method requests unlimited demand from
  ///   this publisher, and each subscriber receives the values that arrive while it has demand.
  /// - Completion and cancellation: subscribers receive a finish. A failure is a programming error: it stops a debug
  ///   build, and other builds write it to standard error. Put `catch` or `replaceError(with:)` before this method.
  ///   Releasing the result cancels the subscription.
  /// - Threading: values arrive where this publisher delivers, in the order of the subscribers.
  public func bind(to subscriber: any Subscriber<Output, Never>, _ more: any Subscriber<Output, Never>...)
    -> AnyCancellable
  {
    reportingFailure(fedTo: subscriber).attach([subscriber] + more)
  }

  /// Attaches subscribers of optional values that can't receive a failure; the result cancels them all.
  ///
  /// - Demand, completion and cancellation, threading: as with subscribers of non-optional values.
  public func bind(to subscriber: any Subscriber<Output?, Never>, _ more: any Subscriber<Output?, Never>...)
    -> AnyCancellable
  {
    map(Output?.some).reportingFailure(fedTo: subscriber).attach([subscriber] + more)
  }

  private func reportingFailure(fedTo subscriber: any Subscriber) -> some Publisher<Output, Never> {
    `catch` { error in
      let message = """
        bind(to:) has dropped a failure, which a \(type(of: subscriber)) can't receive: \(error). Put .catch or \
        .replaceError(with:) before bind(to:), with the values to show instead.
        """
      assertionFailure(message)
      writeToStandardError(message + "\n")
      return Empty<Output, Never>(completeImmediately: false)
    }
  }
}

/// A subscriber that accepts several upstreams and retains each one's subscription until it completes.
///
/// Each upstream has a number, so the subscriber can tell which one has completed or was cancelled from elsewhere.
protocol UpstreamKeeping {
  /// Returns the number of a new upstream.
  func addUpstream() -> Int

  /// Receives an upstream's subscription.
  func keep(_ subscription: any Subscription, as upstream: Int)

  /// Receives the finish of an upstream.
  func finish(_ upstream: Int)

  /// Releases the subscription of an upstream that has been cancelled.
  func forget(_ upstream: Int)
}

/// A subscriber that handles some values later, when the subscription may have been cancelled.
package protocol DeferringSubscriber {
  /// Returns the same subscriber for one subscription, whose pending values it drops after the cancellation.
  func dropping(after cancellation: AtomicFlag) -> Self
}

/// Forwards all events, with the upstream's number except for values.
private struct Keeper<Downstream: Subscriber>: Subscriber where Downstream.Failure == Never {
  let subscriber: Downstream
  let keeper: any UpstreamKeeping
  let number: Int
  let attachment: Attachment

  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

  func receive(subscription: any Subscription) {
    keeper.keep(subscription, as: number)
    attachment.onCancel { [keeper, number] in keeper.forget(number) }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand { subscriber.receive(input) }

  func receive(completion: Subscribers.Completion<Never>) { keeper.finish(number) }
}

/// A handle for the subscription that a foreign subscriber has received.
private final class Attachment: Cancellable {
  private enum Phase {
    case waiting
    case open(any Subscription)
    case terminated
  }

  private struct State {
    var phase = Phase.waiting
    var onCancel: (() -> Void)?
  }

  private let state = Locked(State())

  /// Raised by a cancellation, also behind a completion.
  let cancellation = AtomicFlag()

  func attach(_ subscription: any Subscription) {
    let isKept = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.phase = .open(subscription)
      return true
    }
    if !isKept { subscription.cancel() }
  }

  /// Runs the body after a cancellation: immediately, if a cancellation or a completion came before.
  func onCancel(_ body: @escaping () -> Void) {
    let isTerminated = state.withLock { state in
      if case .terminated = state.phase { return true }
      state.onCancel = body
      return false
    }
    if isTerminated { body() }
  }

  func finish() {
    _ = end()
  }

  func cancel() {
    cancellation.raise()
    let before = end()
    if case .open(let subscription) = before.phase { subscription.cancel() }
    if let onCancel = before.onCancel { onCancel() }
  }

  /// Returns the previous state, so that the caller releases it outside the lock.
  private func end() -> State {
    state.withLock { state in
      defer { state = State(phase: .terminated) }
      return state
    }
  }
}

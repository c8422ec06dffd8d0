/// The state machine of `AsyncFeed`, which runs under its lock and returns actions to perform outside it.
@usableFromInline
struct AsyncFeedMachine<Output, Failure: Error> {
  @usableFromInline
  typealias Answer = Result<Output?, Failure>

  @usableFromInline
  enum Phase {
    /// The subscription has not arrived.
    case waiting
    /// The subscription has arrived, and values can follow.
    case running
    /// Completed or cancelled.
    case terminated
  }

  /// The result of looking for a value at the beginning of a wait.
  @usableFromInline
  enum Finding {
    /// An answer; one more value is requested from the subscription first, if there is one.
    case answer(Answer, asking: OptionalSubscription)
    /// No value yet, but the subscription can send one synchronously when it is requested.
    case ask(OptionalSubscription)
    /// No value, because none is available or because the task must yield.
    case nothing
  }

  @usableFromInline
  enum Action {
    case nothing
    case request(OptionalSubscription, Subscribers.Demand)
    case cancel(SubscriptionObject)
    case resume(Waiter<Answer>, Answer, asking: OptionalSubscription)
    case release(Output)
    /// Resumes the first waiter with the failure, and the others with `nil`.
    ///
    /// The subscription and the remaining values are released, and the subscription is cancelled before if `cancelling`
    /// is true.
    case end([Waiter<Answer>], Failure?, OptionalSubscription, CircularBuffer<Output>, cancelling: Bool)
  }

  /// The policy of the buffer; without one, each wait requests one value, and only that value is kept.
  @usableFromInline
  let buffering: AsyncBuffering?

  @usableFromInline
  var phase = Phase.waiting

  /// The subscription, in the phase in which values can arrive.
  @usableFromInline
  var subscription = OptionalSubscription()

  /// The demand to request when the subscription arrives.
  @usableFromInline
  var toRequest: Subscribers.Demand

  /// The number of values that waits have requested before they were enqueued.
  @usableFromInline
  var askedAhead = 0

  /// The failure, until a waiter receives it.
  @usableFromInline
  var untold: Failure?

  /// The waiting tasks in order of arrival; empty while there are values.
  @usableFromInline
  var waiters = CircularBuffer<Waiter<Answer>>()

  /// The number of answers that tasks have received without a suspension.
  @usableFromInline
  var turn = 0

  /// The values that no task has awaited yet.
  @usableFromInline
  var values = CircularBuffer<Output>()

  @usableFromInline
  init(_ buffering: AsyncBuffering?) {
    self.buffering = buffering
    toRequest = buffering?.demand ?? .none
  }

  @inlinable
  var isSuspending: Bool {
    if case .suspending = buffering { true } else { false }
  }

  /// Begins a wait, and takes its answer if the task need not be enqueued.
  @inlinable
  mutating func takeOrAsk() -> Finding {
    if turn == HandOver.limit { return .nothing }
    turn += 1
    if let value = values.popFirst() {
      // Requests another value for the room that this one leaves, if demand is limited to the room.
      return .answer(.success(value), asking: isSuspending ? subscription : OptionalSubscription())
    }
    switch phase {
    case .waiting: return .nothing
    case .running:
      guard buffering == nil else { return .nothing }
      askedAhead += 1
      return .ask(subscription)
    case .terminated: return .answer(tell(), asking: OptionalSubscription())
    }
  }

  /// Ends a turn; returns whether a task that received no answer must yield and try again.
  mutating func endTurn() -> Bool {
    defer { turn = 0 }
    return turn == HandOver.limit
  }

  /// Returns the value that the subscription has sent synchronously, if there is one.
  @inlinable
  mutating func takeAfterAsking() -> Answer? {
    if let value = values.popFirst() { return .success(value) }
    return phase == .terminated ? tell() : nil
  }

  @inlinable
  mutating func tell() -> Answer {
    untold.take().map { .failure($0) } ?? .success(nil)
  }

  mutating func awaited(by waiter: Waiter<Answer>) -> Action {
    if let value = values.popFirst() {
      return .resume(waiter, .success(value), asking: isSuspending ? subscription : OptionalSubscription())
    }
    if phase == .terminated { return .resume(waiter, tell(), asking: OptionalSubscription()) }
    waiters.append(waiter)
    guard buffering == nil else { return .nothing }
    if askedAhead > 0 {
      askedAhead -= 1
      return .nothing
    }
    if phase == .running { return .request(subscription, .max(1)) }
    toRequest += 1
    return .nothing
  }

  mutating func subscribed(_ new: SubscriptionObject) -> Action {
    guard phase == .waiting else { return .cancel(new) }
    phase = .running
    subscription = OptionalSubscription(new)
    return toRequest == .none ? .nothing : .request(subscription, toRequest)
  }

  /// Accepts a value that a wait requested before it was enqueued, which the upstream sent synchronously.
  @inlinable
  mutating func receivedAhead(_ value: Output) -> Bool {
    guard askedAhead > 0, phase == .running, waiters.isEmpty else { return false }
    askedAhead -= 1
    values.append(value)
    return true
  }

  @usableFromInline
  mutating func received(_ value: Output) -> (Action, Subscribers.Demand) {
    switch phase {
    case .waiting:
      // The upstream sends without a subscription, as Combine allows. No further value can be requested, so all waits
      // end.
      return (.end(takeWaiters(), nil, OptionalSubscription(), CircularBuffer(), cancelling: false), .none)
    case .running:
      // A value for a waiting task takes no room in the buffer, so one more is requested.
      guard let waiter = waiters.popFirst() else { return (keep(value), .none) }
      let action = Action.resume(waiter, .success(value), asking: OptionalSubscription())
      return (action, isSuspending ? .max(1) : .none)
    case .terminated:
      return (.nothing, .none)
    }
  }

  private mutating func keep(_ value: Output) -> Action {
    switch buffering {
    case nil:
      // A value without a waiting task was not requested.
      return .nothing
    case .oldest(let room), .suspending(let room):
      // Under limited demand, a value for which there is no room was not requested.
      if values.count < room { values.append(value) }
      return .nothing
    case .newest(let room):
      let oldest = values.count < room ? nil : values.popFirst()
      values.append(value)
      return oldest.map { .release($0) } ?? .nothing
    case .unbounded:
      values.append(value)
      return .nothing
    }
  }

  mutating func completed(_ completion: Subscribers.Completion<Failure>) -> Action {
    let failure: Failure? = if case .failure(let failure) = completion { failure } else { nil }
    return end(failure, cancelling: false)
  }

  mutating func cancelled() -> Action {
    end(nil, cancelling: true)
  }

  private mutating func end(_ failure: Failure?, cancelling: Bool) -> Action {
    if phase == .terminated {
      guard cancelling else { return .nothing }
      // A cancellation drops the failure and the values that no task has received.
      return .end([], untold.take(), OptionalSubscription(), takeValues(), cancelling: false)
    }
    phase = .terminated
    if waiters.isEmpty { untold = failure }
    return .end(
      takeWaiters(), failure, subscription.take(), cancelling ? takeValues() : CircularBuffer(), cancelling: cancelling)
  }

  private mutating func takeValues() -> CircularBuffer<Output> {
    defer { values = CircularBuffer() }
    return values
  }

  private mutating func takeWaiters() -> [Waiter<Answer>] {
    defer { waiters = CircularBuffer() }
    return waiters.elements
  }
}

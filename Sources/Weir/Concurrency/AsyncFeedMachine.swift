/// What an `AsyncFeed` decides, under its lock; the feed does it outside.
@usableFromInline
struct AsyncFeedMachine<Output, Failure: Error> {
  @usableFromInline
  typealias Answer = Result<Output?, Failure>

  @usableFromInline
  enum Phase {
    /// No subscription has come.
    case waiting
    /// Values may come.
    case running
    /// Ended or cancelled.
    case over
  }

  /// What a wait finds.
  @usableFromInline
  enum Finding {
    /// An answer; the subscription, if there is one, is asked for another value first.
    case answer(Answer, asking: SubscriptionSlot)
    /// Nothing, but the subscription may have a value if it is asked.
    case ask(SubscriptionSlot)
    /// Nothing, because no value is there, or because the turn of the task is over.
    case nothing
  }

  @usableFromInline
  enum Action {
    case nothing
    case request(SubscriptionSlot, Subscribers.Demand)
    case cancel(any Subscription)
    case resume(Waiter<Answer>, Answer, asking: SubscriptionSlot)
    case release(Output)
    /// The first gets the failure, the others nothing. The subscription is let go of, and cancelled before or not, and
    /// so are the values that nobody will get.
    case end([Waiter<Answer>], Failure?, SubscriptionSlot, Fifo<Output>, cancelling: Bool)
  }

  /// What is kept for waits to come; without it each wait asks for one value, and only that is kept.
  @usableFromInline
  let buffering: AsyncBuffering?

  @usableFromInline
  var phase = Phase.waiting

  /// There as long as values may come.
  @usableFromInline
  var subscription = SubscriptionSlot()

  /// What the subscription is to be asked for when it comes.
  @usableFromInline
  var toRequest: Subscribers.Demand

  /// How many values waits have asked for before they are in line.
  @usableFromInline
  var askedAhead = 0

  /// The failure that nobody has been told.
  @usableFromInline
  var untold: Failure?

  /// The waiting tasks in the order of their arrival; none while there are values.
  @usableFromInline
  var waiters = Fifo<Waiter<Answer>>()

  /// How many answers tasks have found without being suspended.
  @usableFromInline
  var turn = 0

  /// What nobody has waited for yet.
  @usableFromInline
  var values = Fifo<Output>()

  @usableFromInline
  init(_ buffering: AsyncBuffering?) {
    self.buffering = buffering
    toRequest = buffering?.demand ?? .none
  }

  @inlinable
  var isSuspending: Bool {
    if case .suspending = buffering { true } else { false }
  }

  /// A wait begins: what it gets if it need not be in line.
  @inlinable
  mutating func looked() -> Finding {
    if turn == HandOver.limit { return .nothing }
    turn += 1
    if let value = values.popFirst() {
      // The room that it leaves is asked for, if it was asked for.
      return .answer(.success(value), asking: isSuspending ? subscription : SubscriptionSlot())
    }
    switch phase {
    case .waiting: return .nothing
    case .running:
      guard buffering == nil else { return .nothing }
      askedAhead += 1
      return .ask(subscription)
    case .over: return .answer(tell(), asking: SubscriptionSlot())
    }
  }

  /// Whether a task that has found nothing has to yield and look again.
  mutating func endedTurn() -> Bool {
    defer { turn = 0 }
    return turn == HandOver.limit
  }

  /// The subscription has been asked: whether it had a value.
  @inlinable
  mutating func lookedAgain() -> Answer? {
    if let value = values.popFirst() { return .success(value) }
    return phase == .over ? tell() : nil
  }

  @inlinable
  mutating func tell() -> Answer {
    untold.take().map { .failure($0) } ?? .success(nil)
  }

  mutating func awaited(by waiter: Waiter<Answer>) -> Action {
    if let value = values.popFirst() {
      return .resume(waiter, .success(value), asking: isSuspending ? subscription : SubscriptionSlot())
    }
    if phase == .over { return .resume(waiter, tell(), asking: SubscriptionSlot()) }
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

  mutating func subscribed(_ new: any Subscription) -> Action {
    guard phase == .waiting else { return .cancel(new) }
    phase = .running
    subscription = SubscriptionSlot(new)
    return toRequest == .none ? .nothing : .request(subscription, toRequest)
  }

  /// Takes in a value that a wait has asked for before it was in line, which is how values come that are there at once.
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
      // From an upstream without a subscription, as in Combine: nobody waits for what may never be asked for.
      return (.end(takeWaiters(), nil, SubscriptionSlot(), Fifo(), cancelling: false), .none)
    case .running:
      // One that is in line takes no room, so there is room for another one.
      guard let waiter = waiters.popFirst() else { return (keep(value), .none) }
      let action = Action.resume(waiter, .success(value), asking: SubscriptionSlot())
      return (action, isSuspending ? .max(1) : .none)
    case .over:
      return (.nothing, .none)
    }
  }

  private mutating func keep(_ value: Output) -> Action {
    switch buffering {
    case nil:
      // One that nobody waits for was not asked for.
      return .nothing
    case .oldest(let room), .suspending(let room):
      // More than there is room for was not asked for, if it is asked for.
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
    if phase == .over {
      guard cancelling else { return .nothing }
      // A cancel takes back what nobody has been told, and lets go of it.
      return .end([], untold.take(), SubscriptionSlot(), takeValues(), cancelling: false)
    }
    phase = .over
    if waiters.isEmpty { untold = failure }
    return .end(
      takeWaiters(), failure, subscription.take(), cancelling ? takeValues() : Fifo(), cancelling: cancelling)
  }

  private mutating func takeValues() -> Fifo<Output> {
    defer { values = Fifo() }
    return values
  }

  private mutating func takeWaiters() -> [Waiter<Answer>] {
    defer { waiters = Fifo() }
    return waiters.elements
  }
}

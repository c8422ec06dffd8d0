/// Keeps the latest value until nothing has come for a while: behind `debounce`.
///
/// Timers have numbers. The machine never sees a clock: a signal with the number of the latest timer says that it is due.
@usableFromInline
struct DebounceMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Effect {
    /// Start the timer of this number, in the place of the one before.
    case start(Int)
    /// Stop the timer of this number, and those before it.
    case stop(Int)
    /// Stop the timer, and let a signal of this number come as soon as the scheduler can.
    case schedule(Int)
  }

  @usableFromInline
  enum Phase {
    /// The upstream has not handed over its subscription.
    case waiting
    /// The downstream is to get its subscription.
    case announcing
    /// Values are waited for.
    case running
    /// The upstream has ended; the completion waits for the scheduler.
    case ending(Subscribers.Completion<Failure>)
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  var phase = Phase.waiting

  @usableFromInline
  var upstream: (any Subscription)?

  @usableFromInline
  var asksUpstream = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var pending: Value?

  /// The number of the latest timer, which a signal must have to count.
  @usableFromInline
  var timer = 0

  /// The latest value has been still for long enough.
  @usableFromInline
  var isDue = false

  @usableFromInline
  var effect: Effect?

  @usableFromInline
  var end = MachineEnd<Failure>()

  @inlinable
  init() {}

  @inlinable
  mutating func handle(_ event: CoordinatorEvent<Value, Failure>) {
    switch event {
    case .value(_, let value):
      guard case .running = phase else { return }
      pending = value
      timer += 1
      effect = .start(timer)
    case .signal(let number):
      guard number == timer else { return }
      isDue = true
    case .subscribed(_, let subscription):
      guard case .waiting = phase else { return end.toCancel.append(subscription) }
      phase = .announcing
      upstream = subscription
      asksUpstream = true
    case .completed(_, let completion):
      guard case .running = phase else { return }
      upstream = nil
      pending = nil
      timer += 1
      phase = .ending(completion)
      effect = .schedule(timer)
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    finish(nil)
    effect = .stop(.max)
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .over
    end.completion = completion
    if let upstream = upstream.take() { end.toCancel.append(upstream) }
    pending = nil
  }

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Effect>? {
    if let effect = effect.take() { return .effect(effect) }
    switch phase {
    case .announcing:
      phase = .running
      return .announce
    case .running:
      if isDue {
        isDue = false
        effect = .stop(timer)
        if let value = pending.take(), demand > .none {
          if demand != .unlimited { demand -= 1 }
          return .deliver(value)
        }
        return next()
      }
      if asksUpstream, let upstream {
        asksUpstream = false
        return .request(0, upstream, .unlimited)
      }
      return end.next()
    case .ending(let completion):
      if isDue { finish(completion) }
      return end.next()
    case .waiting, .over:
      return end.next()
    }
  }
}

/// Lets one value through in each interval: behind `throttle`.
///
/// A value that comes when nothing is scheduled has a delivery scheduled for it, at once or when the interval since the
/// last delivery is over. What comes before that delivery takes its place or is dropped.
@usableFromInline
struct ThrottleMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Effect {
    /// Let a signal come, not before the interval since the last delivery is over.
    case scheduleValue
    /// Let a signal come as soon as the scheduler can.
    case scheduleCompletion
  }

  @usableFromInline
  enum Phase {
    /// The upstream has not handed over its subscription.
    case waiting
    /// The downstream is to get its subscription.
    case announcing
    /// Values go through.
    case running
    /// The upstream has ended; the completion goes out with the value that is scheduled, or by itself.
    case ending(Subscribers.Completion<Failure>)
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  var phase = Phase.waiting

  @usableFromInline
  let latest: Bool

  @usableFromInline
  var upstream: (any Subscription)?

  @usableFromInline
  var asksUpstream = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The value that is scheduled.
  @usableFromInline
  var pending: Value?

  @usableFromInline
  var isDue = false

  @usableFromInline
  var effect: Effect?

  @usableFromInline
  var end = MachineEnd<Failure>()

  @inlinable
  init(latest: Bool) {
    self.latest = latest
  }

  @inlinable
  mutating func handle(_ event: CoordinatorEvent<Value, Failure>) {
    switch event {
    case .value(_, let value):
      guard case .running = phase else { return }
      if pending != nil {
        if latest { pending = value }
      } else if demand > .none {
        if demand != .unlimited { demand -= 1 }
        pending = value
        effect = .scheduleValue
      }
    case .signal:
      isDue = true
    case .subscribed(_, let subscription):
      guard case .waiting = phase else { return end.toCancel.append(subscription) }
      phase = .announcing
      upstream = subscription
      asksUpstream = true
    case .completed(_, let completion):
      guard case .running = phase else { return }
      upstream = nil
      phase = .ending(completion)
      if pending == nil { effect = .scheduleCompletion }
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .over
    end.completion = completion
    if let upstream = upstream.take() { end.toCancel.append(upstream) }
    pending = nil
    effect = nil
  }

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Effect>? {
    switch phase {
    case .announcing:
      phase = .running
      return .announce
    case .running:
      if isDue {
        isDue = false
        if let value = pending.take() { return .deliver(value) }
      }
      if let effect = effect.take() { return .effect(effect) }
      if asksUpstream, let upstream {
        asksUpstream = false
        return .request(0, upstream, .unlimited)
      }
      return end.next()
    case .ending(let completion):
      if let effect = effect.take() { return .effect(effect) }
      guard isDue else { return end.next() }
      if let value = pending.take() { return .deliver(value) }
      finish(completion)
      return end.next()
    case .waiting, .over:
      return end.next()
    }
  }
}

import Weir

/// A subscriber that takes so many values a second, and asks for no more.
///
/// This is all that it takes to slow a pipeline down: the demand goes up to the file, and what is not asked for is not
/// read. There is no buffer, and nobody waits.
final class PacedSink<Input, Failure: Error, Clock: Scheduler>: Subscriber, Cancellable {
  private let rate: Int
  private let clock: Clock
  private let receiveValue: (Input) -> Void
  private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  private var subscription: (any Subscription)?
  private var timer: (any Cancellable)?

  /// Ticks since the beginning, and what has been asked for in them.
  private var tickCount = 0
  private var askedCount = 0

  /// Takes `rate` values a second, which are asked for on a clock that does one thing at a time.
  init(
    rate: Int, clock: Clock, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.rate = rate
    self.clock = clock
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    timer = clock.schedule(after: clock.now, interval: .milliseconds(1000 / ticksPerSecond)) { [self] in tick() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    receiveValue(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    stop()
    receiveCompletion(completion)
  }

  func cancel() {
    let subscription = subscription
    stop()
    subscription?.cancel()
  }

  private func tick() {
    tickCount += 1
    let (quotient, remainder) = rate.quotientAndRemainder(dividingBy: ticksPerSecond)
    let due = quotient * tickCount + remainder * tickCount / ticksPerSecond - askedCount
    askedCount += due
    if due > 0 { subscription?.request(.max(due)) }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    subscription = nil
  }
}

private let ticksPerSecond = 10

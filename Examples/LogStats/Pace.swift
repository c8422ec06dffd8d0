import Weir

/// A subscriber that requests a number of values in each second.
///
/// This is sufficient to slow a pipeline down. The demand reaches the file, and only requested chunks are read. There
/// is no buffer, and no thread waits.
final class PacedSink<Input, Failure: Error, Clock: Scheduler>: Subscriber, Cancellable {
  private let rate: Int
  private let clock: Clock
  private let receiveValue: (Input) -> Void
  private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  private var subscription: (any Subscription)?
  private var timer: (any Cancellable)?

  /// The ticks since the start, and the demand that was requested in them.
  private var tickCount = 0
  private var askedCount = 0

  /// Creates a subscriber that requests `rate` values in each second, on a serial clock.
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

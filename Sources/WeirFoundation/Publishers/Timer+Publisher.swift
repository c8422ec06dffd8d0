public import Foundation
public import Weir

extension Timer {
  /// Publishes the date again and again, once it is connected.
  ///
  ///     Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { print($0) }.store(in: &bag)
  ///
  /// - Demand: a tick for which there is no demand at its moment is dropped; the others are not delayed by it.
  /// - Completion and cancellation: see ``TimerPublisher``.
  /// - Threading: the run loop's thread, while it runs in the mode.
  ///
  /// The tolerance is not used, as in Combine: make a ``TimerPublisher`` yourself if you need one.
  public static func publish(
    every interval: TimeInterval, tolerance _: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  /// A publisher of the date, again and again.
  ///
  /// - Demand: each subscriber's own. A tick for which a subscriber has no demand passes it by.
  /// - Completion and cancellation: never finishes. Each connection is a timer of its own, until what `connect()` returned
  ///   is cancelled. Subscribers stay attached, and receive the ticks of the next connection.
  /// - Threading: ticks come in the run loop's thread, while it runs in the mode. Subscribe and connect anywhere.
  public final class TimerPublisher: ConnectablePublisher, _DirectPublisher {
    /// The date of the tick, the same for all subscribers.
    public typealias Output = Date

    /// It can't fail.
    public typealias Failure = Never

    /// The seconds between two ticks.
    public final let interval: TimeInterval

    /// How much later than its time a tick may come.
    public final let tolerance: TimeInterval?

    /// Where the timer runs.
    public final let runLoop: RunLoop

    /// The mode in which it does.
    public final let mode: RunLoop.Mode

    /// The options of the run loop.
    public final let options: RunLoop.SchedulerOptions?

    private let ticks = PassthroughSubject<Date, Never>()

    @usableFromInline
    package let place = Place()

    /// Makes a publisher that is not connected yet; `Timer.publish` is the usual way.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches a downstream.
    public final func _attach(_ downstream: Downstream<Date, Never>) {
      ticks.attach(downstream.replacingSubscription { TimerSubscription(member: $0) })
    }

    /// Starts a timer, whose first tick comes after one interval.
    ///
    /// The timer runs until the result is cancelled. Dropping the result doesn't stop it, as in Combine.
    public final func connect() -> any Cancellable {
      TimerConnection(
        stop: runLoop.startTimer(
          at: Date(timeIntervalSinceNow: interval), every: interval, tolerance: tolerance ?? 0, in: mode
        ) { [ticks] in ticks.send(Date()) })
    }
  }
}

/// A timer that runs until it is cancelled.
private struct TimerConnection: Cancellable {
  let stop: () -> Void

  func cancel() { stop() }
}

/// One subscriber's connection to the ticks; without a name, as in Combine.
private final class TimerSubscription: Subscription {
  private let member: any Subscription

  init(member: any Subscription) {
    self.member = member
  }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none { member.request(demand) }
  }

  func cancel() {
    member.cancel()
  }
}

extension Timer.TimerPublisher: Assembled {}

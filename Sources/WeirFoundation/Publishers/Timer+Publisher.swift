#if !WEIR_BARE
public import Foundation
public import Weir

extension Timer {
  /// Publishes the date repeatedly, once it is connected.
  ///
  ///     Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { print($0) }.store(in: &bag)
  ///
  /// - Demand: a tick without demand is dropped, and doesn't delay the others.
  /// - Completion and cancellation: see ``TimerPublisher``.
  /// - Threading: delivers on the run loop's thread, while it runs in the mode.
  ///
  /// The tolerance is ignored, as in Combine. Create a ``TimerPublisher`` if you need one.
  public static func publish(
    every interval: TimeInterval, tolerance _: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  /// A publisher that sends the date repeatedly.
  ///
  /// - Demand: each subscriber's own. A tick that finds a subscriber without demand is dropped for it.
  /// - Completion and cancellation: never finishes. Each connection has its own timer, which runs until the result of
  ///   `connect()` is cancelled. Subscribers stay attached, and receive the ticks of the next connection.
  /// - Threading: ticks are delivered on the run loop's thread, while it runs in the mode. Any thread may subscribe and
  ///   connect.
  public final class TimerPublisher: ConnectablePublisher, _DirectPublisher {
    /// The date of the tick, the same for all subscribers.
    public typealias Output = Date

    /// It can't fail.
    public typealias Failure = Never

    /// The seconds between two ticks.
    public final let interval: TimeInterval

    /// The maximum delay of a tick.
    public final let tolerance: TimeInterval?

    /// The run loop of the timer.
    public final let runLoop: RunLoop

    /// The run loop mode of the timer.
    public final let mode: RunLoop.Mode

    /// The options of the run loop.
    public final let options: RunLoop.SchedulerOptions?

    private let ticks = PassthroughSubject<Date, Never>()

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates a publisher that is not connected; `Timer.publish` is the usual way to create it.
    ///
    /// - Precondition: `interval` is a number.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      require(!interval.isNaN, "The interval of a timer must not be NaN.")
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches a downstream.
    public final func _attach(_ downstream: consuming Downstream<Date, Never>) {
      ticks.attach(downstream.replacingSubscription { TimerSubscription(member: $0) })
    }

    /// Starts a timer, whose first tick is sent after one interval.
    ///
    /// The timer runs until the result is cancelled. Releasing the result doesn't stop it, as in Combine.
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

/// One subscriber's subscription to the ticks.
///
/// It has no name, as in Combine.
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

// Safety: its properties are constant. Foundation's run loop is not `Sendable`, but any thread may add a timer to it, and
// the publisher does nothing else with it. (`TimerPublisherTests`)
extension Timer.TimerPublisher: @unchecked Sendable {}

extension Timer.TimerPublisher: AssemblyTraced {}
#endif

public import Weir

extension Publisher {
  /// Sends a publisher for every `count` consecutive values.
  ///
  ///     source             -1   -2   -3   -4   -5   -|
  ///     .window(count: 2)  -v   --   -w   --   -x   -|
  ///     v                  -(^1)-(2|)
  ///     w                  --   --   -(^3)-(4|)
  ///     x                  --   --   --   --   -(^5)-|
  ///
  /// A window supports one subscriber. Its values, at most `count`, are buffered until the subscriber attaches and
  /// requests them.
  ///
  /// - Demand: requests as many values from this publisher as fill the requested windows. If windows overlap, a
  ///   requested value can start another window, which is buffered until there is demand for it.
  /// - Completion and cancellation: this publisher's completion completes the open windows; a failure does too.
  ///   Cancellation stops new windows. The existing windows continue, and this publisher is cancelled when the last of
  ///   them terminates.
  /// - Threading: windows deliver where this publisher does, or where their subscribers request.
  ///
  /// - Parameters:
  ///   - count: The number of values in a window, at least 1.
  ///   - skip: The number of values between the starts of successive windows, at least 1. The default is `count`. If it
  ///     is less, windows overlap. If it is more, the values between two windows are dropped.
  /// - Returns: a publisher of the windows.
  @inlinable
  public func window(count: Int, skip: Int? = nil) -> Publishers.WindowByCount<Self> {
    Publishers.WindowByCount(upstream: self, count: count, skip: skip ?? count)
  }

  /// Sends a publisher of the values of each time interval.
  ///
  ///     source                              -1-2-3-4-5-|
  ///     .window(time: 4, scheduler: clock)  v---w---x--|
  ///     v                                   -1-2|
  ///     w                                   ----^3-4|
  ///     x                                   --------^5-|
  ///
  /// A window supports one subscriber. Its values are buffered until the subscriber attaches and requests them. An
  /// interval without values has a window too.
  ///
  /// - Demand: requests unlimited demand from this publisher at the first request for a window. A window that was not
  ///   requested stays open until it is, so at most one window is buffered. `buffering` says what happens to a value
  ///   for which its window has no demand.
  /// - Completion and cancellation: this publisher's completion completes the open window; a failure does too.
  ///   Cancellation stops new windows. The existing window continues to its end, and then this publisher is cancelled.
  ///   The timer stops at termination.
  /// - Threading: windows arrive on the scheduler, except for the first, which arrives where the subscription is made.
  ///   Values arrive where this publisher delivers, or where the window's subscriber requests.
  ///
  /// - Parameters:
  ///   - time: The duration of a window.
  ///   - scheduler: The scheduler that measures the time.
  ///   - buffering: What happens to values for which their window has no demand. By default, all are buffered.
  /// - Returns: A publisher of the windows.
  @inlinable
  public func window<S: Scheduler>(
    time: S.SchedulerTimeType.Stride, scheduler: S, buffering: BackpressureStrategy<Failure> = .bufferAll
  ) -> Publishers.WindowByTime<Self, S> {
    Publishers.WindowByTime(upstream: self, time: time, scheduler: scheduler, buffering: buffering)
  }
}

extension Publishers {
  /// A publisher of windows, each with `count` of the upstream's values.
  public struct WindowByCount<Upstream: Publisher>: _DirectPublisher {
    /// The type of a window.
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The number of values in a window.
    public let count: Int

    /// The number of values between the starts of successive windows.
    public let skip: Int

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method `window` is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, count: Int, skip: Int) {
      if count < 1 { fatalError("window(count:) requires a count of at least 1, not \(count).") }
      if skip < 1 { fatalError("window(count:skip:) requires a skip of at least 1, not \(skip).") }
      self.upstream = upstream
      self.count = count
      self.skip = skip
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.split(
        for: downstream, CountStrategy<Upstream.Output, Failure>(count: count, skip: skip),
        OpenSubstreams("Window", buffering: .bufferAll))
    }
  }

  /// A publisher of windows, each with the upstream's values of one time interval.
  public struct WindowByTime<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The type of a window.
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The duration of a window.
    public let time: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time.
    public let scheduler: Context

    /// What happens to values for which their window has no demand.
    public let buffering: BackpressureStrategy<Upstream.Failure>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method `window` is the usual way to create it.
    @inlinable
    public init(
      upstream: Upstream, time: Context.SchedulerTimeType.Stride, scheduler: Context,
      buffering: BackpressureStrategy<Upstream.Failure> = .bufferAll
    ) {
      self.upstream = upstream
      self.time = time
      self.scheduler = scheduler
      self.buffering = buffering
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.split(
        for: downstream, TimeStrategy<Upstream.Output, Failure>(), OpenSubstreams("Window", buffering: buffering),
        timer: SubstreamTimer(
          start: { [scheduler, time] tick in scheduler.schedule(every: time, options: nil, tick) },
          fireAgain: { [scheduler] tick in scheduler.schedule(tick) }))
    }
  }
}

/// Creates substreams of `count` values.
@usableFromInline
struct CountStrategy<Value, Failure: Error>: SubstreamStrategy {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = AnyPublisher<Value, Failure>

  @usableFromInline
  typealias Substreams = OpenSubstreams<Output, Value, Failure>

  @usableFromInline
  let count: Int

  @usableFromInline
  let skip: Int

  /// The open windows that can still receive values.
  @usableFromInline
  var windows = CircularBuffer<Substream<Value, Failure>>()

  /// The number of values in the first open window.
  @usableFromInline
  var filled = 0

  /// The number of values since the last window started.
  @usableFromInline
  var position = 0

  @usableFromInline
  var isAsked = false

  @inlinable
  init(count: Int, skip: Int) {
    self.count = count
    self.skip = skip
  }

  @inlinable
  mutating func receive(
    _ value: Value, _ substreams: inout Substreams
  ) -> ValueOutcome<SubstreamCommand<Output, Value, Failure>> {
    let opens = position == 0
    if opens, let window = substreams.add({ AnyPublisher(SubstreamPublisher($0)) }) { windows.append(window) }
    position = (position + 1) % skip
    if windows.isEmpty { return .nothing }
    filled += 1
    if windows.count == 1, filled < count {
      let command = SubstreamCommand<Output, Value, Failure>.feed(windows[0], value)
      return opens ? .deliverFirst(command) : .deliver(command)
    }
    for index in 0..<windows.count { substreams.commands.append(.feed(windows[index], value)) }
    guard filled == count, let full = windows.popFirst() else { return .undecided }
    substreams.close(full)
    // The next window started `skip` values later.
    filled = windows.isEmpty ? 0 : count - skip
    return .undecided
  }

  @inlinable
  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand {
    if isAsked { return demand * skip }
    isAsked = true
    return (demand - 1) * skip + count
  }
}

/// Creates a substream for each time interval.
@usableFromInline
struct TimeStrategy<Value, Failure: Error>: SubstreamStrategy {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = AnyPublisher<Value, Failure>

  @usableFromInline
  typealias Substreams = OpenSubstreams<Output, Value, Failure>

  @usableFromInline
  var window: Substream<Value, Failure>?

  @usableFromInline
  var isAsked = false

  @inlinable
  init() {}

  @inlinable
  mutating func begin(_ substreams: inout Substreams) {
    window = substreams.add { AnyPublisher(SubstreamPublisher($0)) }
  }

  @inlinable
  mutating func receive(
    _ value: Value, _ substreams: inout Substreams
  ) -> ValueOutcome<SubstreamCommand<Output, Value, Failure>> {
    if let window { .deliver(.feed(window, value)) } else { .nothing }
  }

  @inlinable
  mutating func timeIsUp(_ substreams: inout Substreams) {
    guard substreams.waiting.isEmpty else { return }
    if let window { substreams.close(window) }
    begin(&substreams)
  }
}

extension Publishers.WindowByCount: Sendable where Upstream: Sendable {}

public import Weir

extension Publisher {
  /// Sends a publisher of so many values at a time, and then of the next so many.
  ///
  ///     source             -1   -2   -3   -4   -5   -|
  ///     .window(count: 2)  -v   --   -w   --   -x   -|
  ///     v                  -(^1)-(2|)
  ///     w                  --   --   -(^3)-(4|)
  ///     x                  --   --   --   --   -(^5)-|
  ///
  /// A window is for one subscriber. Its values wait for it, and for its demand: `count` at the most.
  ///
  /// - Demand: this publisher is asked for as many values as fill the windows that are asked for. Where windows overlap, a
  ///   value that is asked for may begin another: that waits until it is asked for.
  /// - Completion and cancellation: the end of this publisher is the end of the windows that are open; a failure too. A
  ///   cancel stops new windows; those that are out go on, and this publisher is cancelled with the last of them.
  /// - Threading: windows deliver where this publisher does, or where they are asked.
  ///
  /// - Parameters:
  ///   - count: how many values a window has, at least 1.
  ///   - skip: after how many values the next window begins, at least 1; `count` if it is not given. Windows overlap if it
  ///     is less; if it is more, the values between two windows are dropped.
  /// - Returns: a publisher of the windows.
  public func window(count: Int, skip: Int? = nil) -> Publishers.WindowByCount<Self> {
    Publishers.WindowByCount(upstream: self, count: count, skip: skip ?? count)
  }

  /// Sends a publisher of the values of each stretch of time.
  ///
  ///     source                              -1-2-3-4-5-|
  ///     .window(time: 4, scheduler: clock)  v---w---x--|
  ///     v                                   -1-2|
  ///     w                                   ----^3-4|
  ///     x                                   --------^5-|
  ///
  /// A window is for one subscriber. Its values wait for it, and for its demand. A stretch in which nothing comes has a
  /// window too.
  ///
  /// - Demand: this publisher is asked for everything as soon as a window is asked for. A window that nobody has asked for
  ///   goes on until somebody does, so no more than one waits. What becomes of a value for which its window has no demand,
  ///   `buffering` says.
  /// - Completion and cancellation: the end of this publisher is the end of the window that is open; a failure too. A cancel
  ///   stops new windows; the one that is out goes on to its end, and then this publisher is cancelled. The timer is
  ///   stopped at the end.
  /// - Threading: windows arrive on the scheduler, the first where the subscription is made. Their values arrive where this
  ///   publisher delivers, or where they are asked.
  ///
  /// - Parameters:
  ///   - time: how long a window is open.
  ///   - scheduler: where the time is measured.
  ///   - buffering: what becomes of values for which their window has no demand; all are kept unless it says otherwise.
  /// - Returns: a publisher of the windows.
  public func window<S: Scheduler>(
    time: S.SchedulerTimeType.Stride, scheduler: S, buffering: BackpressureStrategy<Failure> = .bufferAll
  ) -> Publishers.WindowByTime<Self, S> {
    Publishers.WindowByTime(upstream: self, time: time, scheduler: scheduler, buffering: buffering)
  }
}

extension Publishers {
  /// A publisher of publishers of so many of the upstream's values each.
  public struct WindowByCount<Upstream: Publisher>: _DirectPublisher {
    /// A window.
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// How many values a window has.
    public let count: Int

    /// After how many values the next window begins.
    public let skip: Int

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `window` is the usual way.
    public init(upstream: Upstream, count: Int, skip: Int) {
      if count < 1 { fatalError("A window needs a positive count: at least 1, not \(count).") }
      if skip < 1 { fatalError("A window has to begin after the one before: skip at least 1, not \(skip).") }
      self.upstream = upstream
      self.count = count
      self.skip = skip
    }

    /// Attaches a downstream.
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.split(
        for: downstream, CountSplitter<Upstream.Output, Failure>(count: count, skip: skip),
        SplitParts("Window", buffering: .bufferAll))
    }
  }

  /// A publisher of publishers of the upstream's values in each stretch of time.
  public struct WindowByTime<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// A window.
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// How long a window is open.
    public let time: Context.SchedulerTimeType.Stride

    /// Where the time is measured.
    public let scheduler: Context

    /// What becomes of values for which their window has no demand.
    public let buffering: BackpressureStrategy<Upstream.Failure>

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `window` is the usual way.
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
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.split(
        for: downstream, TimeSplitter<Upstream.Output, Failure>(), SplitParts("Window", buffering: buffering),
        timer: SplitTimer(
          start: { [scheduler, time] tick in
            scheduler.schedule(
              after: scheduler.now.advanced(by: time), interval: time, tolerance: scheduler.minimumTolerance,
              options: nil, tick)
          },
          tellAgain: { [scheduler] tick in scheduler.schedule(tick) }))
    }
  }
}

/// A part for so many values.
private struct CountSplitter<Value, Failure: Error>: Splitter {
  typealias Input = Value
  typealias Output = AnyPublisher<Value, Failure>
  typealias Parts = SplitParts<Output, Value, Failure>

  let count: Int
  let skip: Int

  /// The windows that are open, with what they still get.
  var windows = Fifo<Part<Value, Failure>>()

  /// How many values have come to the first of them.
  var filled = 0

  /// How many values have come since the last window began.
  var position = 0

  var isAsked = false

  init(count: Int, skip: Int) {
    self.count = count
    self.skip = skip
  }

  mutating func receive(_ value: Value, _ parts: inout Parts) {
    if position == 0, let window = parts.add({ AnyPublisher(PartPublisher($0)) }) { windows.append(window) }
    position = (position + 1) % skip
    if windows.isEmpty { return }
    for index in 0..<windows.count { parts.commands.append(.feed(windows[index], value)) }
    filled += 1
    guard filled == count, let full = windows.popFirst() else { return }
    parts.close(full)
    // The next began so much later.
    filled = windows.isEmpty ? 0 : count - skip
  }

  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand {
    if isAsked { return demand * skip }
    isAsked = true
    return (demand - 1) * skip + count
  }
}

/// A part for each stretch of time.
private struct TimeSplitter<Value, Failure: Error>: Splitter {
  typealias Input = Value
  typealias Output = AnyPublisher<Value, Failure>
  typealias Parts = SplitParts<Output, Value, Failure>

  var window: Part<Value, Failure>?
  var isAsked = false

  mutating func begin(_ parts: inout Parts) {
    window = parts.add { AnyPublisher(PartPublisher($0)) }
  }

  mutating func receive(_ value: Value, _ parts: inout Parts) {
    if let window { parts.commands.append(.feed(window, value)) }
  }

  mutating func timeIsUp(_ parts: inout Parts) {
    guard parts.waiting.isEmpty else { return }
    if let window { parts.close(window) }
    begin(&parts)
  }

  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand {
    defer { isAsked = true }
    return isAsked ? .none : .unlimited
  }
}

extension Publishers.WindowByCount: Sendable where Upstream: Sendable {}

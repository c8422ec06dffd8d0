public import Weir

/// A command for the substreams.
///
/// Commands run in the order of the decisions.
@usableFromInline
enum SubstreamCommand<Output, Value, Failure: Error> {
  /// Delivers a substream's publisher downstream.
  case open(Output)
  /// Send a value to a substream.
  case feed(Substream<Value, Failure>, Value)
  /// Completes a substream.
  case close(Substream<Value, Failure>, Subscribers.Completion<Failure>)
  /// Releases the downstream, which has cancelled.
  case release
}

/// Decides which values belong to which substream.
@usableFromInline
protocol SubstreamStrategy {
  associatedtype Input
  associatedtype Output
  associatedtype Value
  associatedtype Failure: Error

  typealias Substreams = OpenSubstreams<Output, Value, Failure>

  /// Called when the upstream's subscription has arrived.
  mutating func begin(_ substreams: inout Substreams)

  /// Returns the command for the value, or adds several commands and returns `.undecided`.
  mutating func receive(
    _ input: Input, _ substreams: inout Substreams
  ) -> ValueOutcome<SubstreamCommand<Output, Value, Failure>>

  /// Called when the timer fires.
  mutating func timeIsUp(_ substreams: inout Substreams)

  /// Whether the downstream has requested substreams before.
  var isAsked: Bool { get set }

  /// Returns the upstream demand for the demand of substreams: by default unlimited demand, once.
  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand

  /// Discards references to terminated substreams.
  mutating func sweep()

  /// Discards references to all substreams, after the upstream's completion.
  mutating func removeAll()
}

extension SubstreamStrategy {
  @inlinable
  mutating func begin(_ substreams: inout Substreams) {}

  @inlinable
  mutating func timeIsUp(_ substreams: inout Substreams) {}

  @inlinable
  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand {
    defer { isAsked = true }
    return isAsked ? .none : .unlimited
  }

  @inlinable
  mutating func sweep() {}

  @inlinable
  mutating func removeAll() {}
}

/// The open substreams, and the pending commands for them.
@usableFromInline
struct OpenSubstreams<Output, Value, Failure: Error> {
  @usableFromInline
  let name: StaticString

  @usableFromInline
  let buffering: BackpressureStrategy<Failure>

  /// Receives the termination of each substream.
  @usableFromInline
  let notice = SubstreamTermination()

  /// The open substreams, in the order of their creation.
  @usableFromInline
  var open: [Substream<Value, Failure>] = []

  @usableFromInline
  var commands = CircularBuffer<SubstreamCommand<Output, Value, Failure>>()

  /// The publishers of substreams that were not requested yet.
  @usableFromInline
  var waiting = CircularBuffer<Output>()

  /// The number of substreams that the downstream has requested and not received.
  @usableFromInline
  var demand = Subscribers.Demand.none

  /// True after the downstream has cancelled.
  ///
  /// No more substreams are opened.
  @usableFromInline
  var isClosed = false

  @inlinable
  init(_ name: StaticString, buffering: BackpressureStrategy<Failure>) {
    self.name = name
    self.buffering = buffering
  }

  /// Opens a substream, or returns `nil` after the downstream has cancelled.
  @inlinable
  mutating func add(_ output: (Substream<Value, Failure>) -> Output) -> Substream<Value, Failure>? {
    if isClosed { return nil }
    let substream = Substream<Value, Failure>(name, buffering: buffering) { [notice] in notice.onEnd() }
    open.append(substream)
    waiting.append(output(substream))
    return substream
  }

  /// Removes and returns the publisher that is delivered next, if there is demand for it.
  @inlinable
  mutating func takeRequested() -> Output? {
    guard demand > .none, let output = waiting.popFirst() else { return nil }
    if demand != .unlimited { demand -= 1 }
    return output
  }

  @inlinable
  mutating func close(_ substream: Substream<Value, Failure>) {
    open.removeAll { $0 === substream }
    commands.append(.close(substream, .finished))
  }
}

/// Reports the termination of a substream to the coordinator.
@usableFromInline
final class SubstreamTermination {
  /// Set before the first substream exists.
  @usableFromInline
  var onEnd: () -> Void = {}

  @usableFromInline
  init() {}
}

/// The state machine of `groupBy` and `window`: distributes the values of one upstream to substreams.
///
/// Values are sent to their substreams as they arrive, and are buffered there. Publishers of substreams are delivered
/// on demand. After the downstream has cancelled, delivered substreams continue, and the upstream is cancelled with the
/// last of them.
@usableFromInline
struct SubstreamMachine<Work: SubstreamStrategy>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Work.Input

  @usableFromInline
  typealias Output = SubstreamCommand<Work.Output, Work.Value, Work.Failure>

  @usableFromInline
  typealias Failure = Work.Failure

  @usableFromInline
  typealias Effect = SubstreamEffect

  @usableFromInline
  var work: Work

  @usableFromInline
  var substreams: Work.Substreams

  @usableFromInline
  let usesTimer: Bool

  @usableFromInline
  var state = UpstreamState()

  @usableFromInline
  var effect: Effect?

  /// The number of substreams that have terminated by themselves and are still in the list of open substreams.
  @usableFromInline
  var ended = 0

  @inlinable
  init(_ work: Work, _ substreams: Work.Substreams, usesTimer: Bool = false) {
    self.work = work
    self.substreams = substreams
    self.usesTimer = usesTimer
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if case .waiting = state.phase {
      work.begin(&substreams)
      if usesTimer { effect = .startTimer }
    }
    state.subscribed(subscription)
    return .undecided
  }

  @inlinable
  mutating func receive(_ input: Input, from number: Int) -> ValueOutcome<Output> {
    guard state.isRunning else { return .nothing }
    return work.receive(input, &substreams)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard state.completed(completion) else { return .nothing }
    for substream in substreams.open { substreams.commands.append(.close(substream, completion.typed())) }
    substreams.open = []
    work.removeAll()
    if usesTimer { effect = .stopTimer }
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    switch number {
    case SubstreamSignal.downstreamCancelled:
      substreams.isClosed = true
      substreams.waiting.removeAll()
      substreams.commands.append(.release)
      sweep()
    case SubstreamSignal.substreamEnded:
      ended += 1
      if ended * 2 > substreams.open.count, !substreams.open.isEmpty { sweep() }
    default:
      if state.isRunning { work.timeIsUp(&substreams) }
    }
    return .undecided
  }

  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    if number != SubstreamSignal.timeIsUp { return signal(number) }
    if state.isRunning, effect == nil { effect = .fireAgain }
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    if substreams.isClosed { return }
    substreams.demand += more
    state.toRequest += work.asks(for: more)
  }

  @inlinable
  mutating func cancelled() {
    state.finish(nil)
  }

  @inlinable
  mutating func sweep() {
    ended = 0
    substreams.open.removeAll { $0.isTerminated }
    work.sweep()
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Effect> {
    if let command = substreams.commands.popFirst() { return .deliver(command) }
    if state.isRunning || state.ending != nil, let substream = substreams.takeRequested() {
      return .deliver(.open(substream))
    }
    if substreams.isClosed, substreams.open.isEmpty, state.isRunning || state.ending != nil {
      // The downstream has been released, so only the coordinator receives this completion, and releases the timer.
      state.finish(.finished)
      if usesTimer { effect = .stopTimer }
    }
    if substreams.waiting.isEmpty, let completion = state.ending { state.finish(completion) }
    if let effect = effect.take() { return .effect(effect) }
    return state.next()
  }
}

/// An effect of a ``SubstreamMachine``.
@usableFromInline
enum SubstreamEffect {
  case startTimer, stopTimer
  /// Fires the timer again, on the scheduler.
  case fireAgain
}

/// The signals of a ``SubstreamMachine``.
@usableFromInline
enum SubstreamSignal {
  @inlinable
  static var downstreamCancelled: Int { 0 }

  @inlinable
  static var substreamEnded: Int { 1 }

  @inlinable
  static var timeIsUp: Int { 2 }
}

import Weir

/// What is to be done with parts, in the order in which it was decided.
enum SplitCommand<Output, Value, Failure: Error> {
  /// Hand a publisher of a part downstream.
  case open(Output)
  /// Send a value to a part.
  case feed(Part<Value, Failure>, Value)
  /// End a part.
  case close(Part<Value, Failure>, Subscribers.Completion<Failure>)
  /// Let go of the downstream, which has cancelled.
  case release
}

/// Says which values belong to which part.
protocol Splitter {
  associatedtype Input
  associatedtype Output
  associatedtype Value
  associatedtype Failure: Error

  typealias Parts = SplitParts<Output, Value, Failure>

  /// The upstream is there.
  mutating func begin(_ parts: inout Parts)

  mutating func receive(_ input: Input, _ parts: inout Parts)

  /// The timer is due.
  mutating func timeIsUp(_ parts: inout Parts)

  /// What is asked of the upstream when so many parts are.
  mutating func asks(for demand: Subscribers.Demand) -> Subscribers.Demand

  /// Forgets what refers to parts that are over.
  mutating func sweep()
}

extension Splitter {
  mutating func begin(_ parts: inout Parts) {}

  mutating func timeIsUp(_ parts: inout Parts) {}

  mutating func sweep() {}
}

/// The parts that are open, and what is to be done with them.
struct SplitParts<Output, Value, Failure: Error> {
  let name: StaticString
  let buffering: BackpressureStrategy<Failure>

  /// Hears of the end of each part.
  let notice = PartNotice()

  /// In the order in which they were opened.
  var open: [Part<Value, Failure>] = []

  var commands = Fifo<SplitCommand<Output, Value, Failure>>()

  /// Publishers of parts that nobody has asked for.
  var waiting = Fifo<Output>()

  /// The downstream has cancelled, so no part is opened any more.
  var isClosed = false

  init(_ name: StaticString, buffering: BackpressureStrategy<Failure>) {
    self.name = name
    self.buffering = buffering
  }

  /// Opens a part; `nil` if nobody wants to know of it.
  mutating func add(_ output: (Part<Value, Failure>) -> Output) -> Part<Value, Failure>? {
    if isClosed { return nil }
    let part = Part<Value, Failure>(name, buffering: buffering) { [notice] in notice.onEnd() }
    open.append(part)
    waiting.append(output(part))
    return part
  }

  mutating func close(_ part: Part<Value, Failure>) {
    open.removeAll { $0 === part }
    commands.append(.close(part, .finished))
  }
}

/// Tells the coordinator of the end of a part.
final class PartNotice {
  /// Set before there is a part.
  var onEnd: () -> Void = {}
}

/// Deals the values of one upstream out to parts: behind `groupBy` and `window`.
///
/// Values go to their parts as they come, and wait there. Publishers of parts go downstream on demand. When the downstream
/// has cancelled, those that are out go on, and the upstream is cancelled with the last of them.
struct SplitMachine<Work: Splitter>: CoordinatorMachine {
  typealias Input = Work.Input
  typealias Output = SplitCommand<Work.Output, Work.Value, Work.Failure>
  typealias Failure = Work.Failure

  enum Effect {
    case startTimer, stopTimer
    /// Tell of the time again, on the scheduler.
    case tellAgain
  }

  /// What a machine is told of by signals.
  enum Signal {
    static var downstreamCancelled: Int { 0 }
    static var partEnded: Int { 1 }
    static var timeIsUp: Int { 2 }
  }

  var work: Work
  var parts: Work.Parts
  let usesTimer: Bool
  var life = UpstreamLife<Failure>()
  var demand = Subscribers.Demand.none
  var effect: Effect?

  /// How many parts have ended by themselves and are still among those that are open.
  var ended = 0

  init(_ work: Work, _ parts: Work.Parts, usesTimer: Bool = false) {
    self.work = work
    self.parts = parts
    self.usesTimer = usesTimer
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { life.outermostGate(of: thread) }

  // MARK: Events

  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    if case .waiting = life.phase {
      work.begin(&parts)
      if usesTimer { effect = .startTimer }
    }
    life.subscribed(subscription)
  }

  mutating func receive(_ input: Input, from number: Int) {
    if life.isRunning { work.receive(input, &parts) }
  }

  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    guard life.completed(completion) else { return }
    for part in parts.open { parts.commands.append(.close(part, completion)) }
    parts.open = []
    if usesTimer { effect = .stopTimer }
  }

  mutating func signal(_ number: Int) {
    switch number {
    case Signal.downstreamCancelled:
      parts.isClosed = true
      parts.waiting.removeAll()
      parts.commands.append(.release)
      sweep()
    case Signal.partEnded:
      ended += 1
      if parts.isClosed || ended * 2 > parts.open.count { sweep() }
    default:
      if life.isRunning { work.timeIsUp(&parts) }
    }
  }

  mutating func signalLeft(_ number: Int) {
    if number != Signal.timeIsUp { return signal(number) }
    if life.isRunning, effect == nil { effect = .tellAgain }
  }

  mutating func requested(_ more: Subscribers.Demand) {
    if parts.isClosed { return }
    demand += more
    life.toRequest += work.asks(for: more)
  }

  mutating func cancelled() {
    life.finish(nil)
  }

  mutating func sweep() {
    ended = 0
    parts.open.removeAll { $0.isOver }
    work.sweep()
  }

  // MARK: Decisions

  mutating func next() -> CoordinatorAction<Output, Failure, Effect>? {
    if let command = parts.commands.popFirst() { return .deliver(command) }
    if life.isRunning || life.ending != nil, demand > .none, let part = parts.waiting.popFirst() {
      if demand != .unlimited { demand -= 1 }
      return .deliver(.open(part))
    }
    if parts.isClosed, parts.open.isEmpty, life.isRunning || life.ending != nil {
      life.finish(nil)
      if usesTimer { effect = .stopTimer }
    }
    if parts.waiting.isEmpty, let completion = life.ending { life.finish(completion) }
    if let effect = effect.take() { return .effect(effect) }
    return life.next()
  }
}

public import Weir

/// A publisher that sends what it is told to send, by hand or at given times, and keeps a record of each subscription.
///
/// By hand:
///
///     let publisher = TestPublisher<Int, Never>()
///     publisher.filter { $0 > 1 }.subscribe(subscriber)
///     publisher.send(1)
///     publisher.send(2)
///     publisher.subscriptions[0].events  // [.subscribed, .requested(max(1)), .returned(max(1))]
///
/// At times of a ``VirtualTimeScheduler``, which are counted from its present for a hot publisher, and from each
/// subscription for a cold one:
///
///     let publisher = TestPublisher<Int, Never>(.cold, on: scheduler, [
///       .at(.seconds(1), .value(1)), .at(.seconds(2), .value(2)), .at(.seconds(2), .finished),
///     ])
///
/// It keeps every rule of the contract, unless it is told which to break:
///
///     let rude = TestPublisher<Int, Never>(misbehaving: [.moreThanAsked, .ignoresCancel])
///
/// - Demand: each subscriber's own. What there is no demand for is dropped by a hot publisher, and kept by a cold one,
///   unless `whenNotAsked` says otherwise. An end waits for the values that are kept.
/// - Completion and cancellation: a completion reaches all subscribers, also those who come later. Who cancelled gets
///   nothing more; ``subscriptions`` goes on recording.
/// - Threading: it may be sent to on any thread, also from inside a delivery: each subscriber gets one event after the
///   other, so what is sent from inside a delivery comes after it.
public final class TestPublisher<Output, Failure: Error>: Publisher {
  /// When the times of a script begin, and who shares them.
  public enum Temperature: Hashable, Sendable {
    /// All subscribers see the same events, and those that they come too late for not at all.
    case hot

    /// Each subscriber sees all events, from its own beginning.
    case cold
  }

  /// What becomes of a value that a subscriber has not asked for.
  public enum UnaskedPolicy: Hashable, Sendable {
    /// It is lost to that subscriber.
    case drop

    /// It is kept until the subscriber asks.
    case buffer
  }

  /// What a publisher sends.
  public enum Signal {
    /// A value.
    case value(Output)

    /// The end.
    case completion(Subscribers.Completion<Failure>)

    /// The normal end.
    public static var finished: Signal { .completion(.finished) }

    /// The end because of an error.
    public static func failure(_ error: Failure) -> Signal { .completion(.failure(error)) }
  }

  /// A signal and when it is sent.
  public struct TimedSignal {
    /// How long after the beginning it is sent.
    public let time: VirtualTime.Stride

    /// What is sent.
    public let signal: Signal

    /// Makes a signal that is sent so long after the beginning.
    public static func at(_ time: VirtualTime.Stride, _ signal: Signal) -> TimedSignal {
      TimedSignal(time: time, signal: signal)
    }
  }

  private struct State {
    var targets: [Target<Output, Failure>] = []
    var completion: Subscribers.Completion<Failure>?
  }

  private let state = Shared(State())
  private let scheduler: VirtualTimeScheduler?
  private let manner: Manner
  private let coldScript: [TimedSignal]

  /// Makes a publisher that is sent to by hand.
  ///
  /// - Parameters:
  ///   - policy: what becomes of values without demand.
  ///   - misbehaviour: the rules to break.
  ///   - clock: gives the times of the records; without it they are all zero.
  public init(
    whenNotAsked policy: UnaskedPolicy = .drop, misbehaving misbehaviour: Misbehaviour = [],
    clock: VirtualTimeScheduler? = nil
  ) {
    manner = Manner(buffers: policy == .buffer, misbehaviour: misbehaviour)
    scheduler = clock
    coldScript = []
  }

  /// Makes a publisher that sends at given times; it can be sent to by hand, too.
  ///
  /// - Parameters:
  ///   - temperature: whether the times count from now or from each subscription.
  ///   - scheduler: when its time comes, a signal is sent.
  ///   - script: the signals, in any order; those of equal times are sent in this order.
  ///   - policy: what becomes of values without demand; by default a hot publisher drops them and a cold one keeps them.
  ///   - misbehaviour: the rules to break.
  public init(
    _ temperature: Temperature, on scheduler: VirtualTimeScheduler, _ script: [TimedSignal],
    whenNotAsked policy: UnaskedPolicy? = nil, misbehaving misbehaviour: Misbehaviour = []
  ) {
    let policy = policy ?? (temperature == .hot ? .drop : .buffer)
    manner = Manner(buffers: policy == .buffer, misbehaviour: misbehaviour)
    self.scheduler = scheduler
    coldScript = temperature == .cold ? script : []
    if temperature == .hot {
      let now = scheduler.now
      for timed in script {
        scheduler.enqueue(at: now.advanced(by: timed.time)) { self.send(timed.signal) }
      }
    }
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let target = Target(AnySubscriber(subscriber), manner: manner, clock: scheduler)
    let completion = state.withLock { state in
      state.targets.append(target)
      return state.completion
    }
    target.subscribe()
    if let completion { target.send(.completion(completion)) }
    guard let scheduler, !coldScript.isEmpty else { return }
    let now = scheduler.now
    target.schedule(
      coldScript.map { timed in
        scheduler.enqueue(at: now.advanced(by: timed.time)) { target.send(timed.signal) }
      }, of: scheduler)
  }

  // MARK: Sending

  /// Sends a value to all subscribers.
  public func send(_ value: Output) {
    send(.value(value))
  }

  /// Sends the end to all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) {
    send(.completion(completion))
  }

  /// Sends a value or the end to all subscribers.
  public func send(_ signal: Signal) {
    let targets = state.withLock { state in
      if case .completion(let completion) = signal, state.completion == nil { state.completion = completion }
      return state.targets
    }
    for target in targets { target.send(signal) }
  }

  // MARK: What was asked of it

  /// What became of each subscription, in the order in which they began.
  public var subscriptions: [SubscriptionRecord] {
    state.withLock { $0.targets }.map(\.record)
  }

  /// How many subscribers it has that have neither cancelled nor been told the end.
  public var subscriberCount: Int {
    subscriptions.count { !$0.isCancelled && !$0.events.contains(.completed) }
  }
}

extension TestPublisher.Signal: Equatable where Output: Equatable, Failure: Equatable {}
extension TestPublisher.Signal: Sendable where Output: Sendable {}
extension TestPublisher.TimedSignal: Equatable where Output: Equatable, Failure: Equatable {}
extension TestPublisher.TimedSignal: Sendable where Output: Sendable {}

// Safety: its state is behind locks. What it sends may reach another thread, so it must be `Sendable`. (`TestPublisherTests`)
extension TestPublisher: @unchecked Sendable where Output: Sendable {}

extension TestPublisher where Output == Void {
  /// Sends an event that carries no value.
  public func send() {
    send(())
  }
}

public import Weir

/// A publisher that sends events manually or at given times, and records each subscription.
///
/// Manually:
///
///     let publisher = TestPublisher<Int, Never>()
///     publisher.filter { $0 > 1 }.subscribe(subscriber)
///     publisher.send(1)
///     publisher.send(2)
///     publisher.subscriptions[0].events  // [.subscribed, .requested(max(1)), .returned(max(1))]
///
/// At times of a ``VirtualTimeScheduler``. For a hot publisher, times are relative to the current time; for a cold one,
/// to each subscription:
///
///     let publisher = TestPublisher<Int, Never>(.cold, on: scheduler, [
///       .at(.seconds(1), .value(1)), .at(.seconds(2), .value(2)), .at(.seconds(2), .finished),
///     ])
///
/// It conforms to the contract, except for the rules that it is told to break:
///
///     let misbehaving = TestPublisher<Int, Never>(misbehaving: [.moreThanAsked, .ignoresCancel])
///
/// - Demand: each subscriber's own. A hot publisher drops values without demand, and a cold one buffers them, unless
///   `whenNotAsked` differs. A completion is delivered after the buffered values.
/// - Completion and cancellation: a completion reaches all subscribers, also later ones. A subscriber that has
///   cancelled receives no more events, but ``subscriptions`` still records.
/// - Threading: any thread may send, also during a delivery. Each subscriber receives one event at a time, so a
///   re-entrant event is delivered after the present one.
public final class TestPublisher<Output, Failure: Error>: Publisher {
  /// The start time of a script, and whether subscribers share it.
  public enum Temperature: Hashable, Sendable {
    /// All subscribers receive the same events, and miss those before their subscription.
    case hot

    /// Each subscriber receives all events, from its own subscription on.
    case cold
  }

  /// What happens to a value that a subscriber has not requested.
  public enum UnaskedPolicy: Hashable, Sendable {
    /// The value is dropped for that subscriber.
    case drop

    /// The value is buffered until the subscriber requests it.
    case buffer
  }

  /// A signal of a publisher.
  public enum Signal {
    /// A value.
    case value(Output)

    /// A completion.
    case completion(Subscribers.Completion<Failure>)

    /// A finish.
    public static var finished: Signal { .completion(.finished) }

    /// A failure.
    public static func failure(_ error: Failure) -> Signal { .completion(.failure(error)) }
  }

  /// A signal and its time.
  public struct TimedSignal {
    /// The time from the start.
    public let time: VirtualTime.Stride

    /// The signal.
    public let signal: Signal

    /// Creates a signal for a time after the start.
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

  /// Creates a publisher for manual sending.
  ///
  /// - Parameters:
  ///   - policy: What happens to values without demand.
  ///   - misbehavior: The rules to break.
  ///   - clock: The scheduler that measures the times of the records; without one, they are zero.
  public init(
    whenNotAsked policy: UnaskedPolicy = .drop, misbehaving misbehavior: Misbehavior = [],
    clock: VirtualTimeScheduler? = nil
  ) {
    manner = Manner(buffers: policy == .buffer, misbehavior: misbehavior)
    scheduler = clock
    coldScript = []
  }

  /// Creates a publisher that sends at given times; manual sending is possible too.
  ///
  /// - Parameters:
  ///   - temperature: Whether the times are relative to the current time or to each subscription.
  ///   - scheduler: The scheduler that measures the time.
  ///   - script: The signals, in any order. Signals of equal times are sent in this order.
  ///   - policy: What happens to values without demand. By default, a hot publisher drops them and a cold one buffers
  ///     them.
  ///   - misbehavior: The rules to break.
  public init(
    _ temperature: Temperature, on scheduler: VirtualTimeScheduler, _ script: [TimedSignal],
    whenNotAsked policy: UnaskedPolicy? = nil, misbehaving misbehavior: Misbehavior = []
  ) {
    let policy = policy ?? (temperature == .hot ? .drop : .buffer)
    manner = Manner(buffers: policy == .buffer, misbehavior: misbehavior)
    self.scheduler = scheduler
    coldScript = temperature == .cold ? script : []
    if temperature == .hot {
      let now = scheduler.now
      for timed in script {
        // Not the publisher, which retains the scheduler.
        scheduler.enqueue(at: now.advanced(by: timed.time)) { [state] in Self.send(timed.signal, to: state) }
      }
    }
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    for _ in 0..<(manner.does(.subscribesTwice) ? 2 : 1) { attach(AnySubscriber(subscriber)) }
  }

  private func attach(_ subscriber: AnySubscriber<Output, Failure>) {
    let target = Target(subscriber, manner: manner, clock: scheduler)
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
      })
  }

  // MARK: Sending

  /// Sends a value to all subscribers.
  public func send(_ value: Output) {
    send(.value(value))
  }

  /// Sends a completion to all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) {
    send(.completion(completion))
  }

  /// Sends a signal to all subscribers.
  public func send(_ signal: Signal) { Self.send(signal, to: state) }

  private static func send(_ signal: Signal, to state: Shared<State>) {
    let targets = state.withLock { state in
      if case .completion(let completion) = signal, state.completion == nil { state.completion = completion }
      return state.targets
    }
    for target in targets { target.send(signal) }
  }

  // MARK: Records

  /// The records of all subscriptions, in order.
  public var subscriptions: [SubscriptionRecord] {
    state.withLock { $0.targets }.map(\.record)
  }

  /// The number of subscribers that have neither cancelled nor received a completion.
  public var subscriberCount: Int {
    subscriptions.count { !$0.isCancelled && !$0.events.contains(.completed) }
  }
}

extension TestPublisher.Signal: Equatable where Output: Equatable, Failure: Equatable {}
extension TestPublisher.Signal: Sendable where Output: Sendable {}
extension TestPublisher.TimedSignal: Equatable where Output: Equatable, Failure: Equatable {}
extension TestPublisher.TimedSignal: Sendable where Output: Sendable {}

// Safety: its state is behind locks. Another thread may deliver a value, so `Output` must be `Sendable`.
// (`TestPublisherTests`)
extension TestPublisher: @unchecked Sendable where Output: Sendable {}

extension TestPublisher where Output == Void {
  /// Sends an event without a value.
  public func send() {
    send(())
  }
}

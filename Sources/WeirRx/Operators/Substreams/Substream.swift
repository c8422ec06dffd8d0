import Weir

/// The values of a window or a group, for its one subscriber, which can attach at any time.
///
///     strategy ──holds──▶ Substream ──holds──▶ buffer ──holds──▶ Substream ──holds──▶ subscriber
///
/// Values are buffered until there is a subscriber with demand. The reference cycle is broken at termination, which
/// includes a cancellation, and when the publisher is deallocated without a subscriber.
final class Substream<Value, Failure: Error>: Subscriber, Subscription, CustomStringConvertible {
  typealias Input = Value

  private struct State {
    var buffer: (any Subscription)?
    var target: Downstream<Value, Failure>?

    /// True if a subscriber has attached.
    var isTaken = false

    /// True if the subscriber has its subscription, so that it can receive values and the completion.
    var isReady = false

    /// The demand that the subscriber requested before that.
    var early = Subscribers.Demand.none

    /// The completion that arrived before that.
    var completion: Subscribers.Completion<Failure>?
  }

  private let state = Locked(State())
  private let name: StaticString
  private var emitter: Publishers.Create<Value, Failure>.Emitter?

  /// `onEnd` runs when the part can no longer deliver values.
  init(_ name: StaticString, buffering: BackpressureStrategy<Failure>, onEnd: @escaping () -> Void) {
    self.name = name
    // The buffer requests values immediately, so the emitter exists when this call returns.
    let source = EmissionSource<Value, Failure> { [unowned self] emitter in
      self.emitter = emitter
      return AnyCancellable(onEnd)
    }
    source.attach(Downstream(self), buffering: buffering.policy(asking: .everything), named: name)
  }

  var description: String { name.description }

  // MARK: The strategy's side

  var isTerminated: Bool { emitter?.isTerminated ?? true }

  func send(_ value: Value) {
    emitter?.send(value)
  }

  func send(completion: Subscribers.Completion<Failure>) {
    emitter?.send(completion: completion)
  }

  // MARK: The buffer's side

  func receive(subscription: any Subscription) {
    state.withLock { $0.buffer = subscription }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    state.withLock { $0.target }?.next(input) ?? .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let target = state.withLock { state -> Downstream<Value, Failure>? in
      if state.isReady { return state.target.take() }
      state.completion = completion
      return nil
    }
    target?.end(completion)
  }

  // MARK: The subscriber's side

  func attach(_ downstream: Downstream<Value, Failure>) {
    let isFirst = state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      state.target = downstream
      return true
    }
    guard isFirst else {
      fatalError("A window or group supports one subscriber. Use share() to attach more.")
    }
    downstream.begin(self)
    let (target, completion, early) = state.withLock { state in
      state.isReady = true
      return (state.completion == nil ? nil : state.target.take(), state.completion, state.early)
    }
    if let completion { target?.end(completion) } else if early > .none { request(early) }
  }

  /// Called when no subscriber can attach any more.
  ///
  /// Terminates the part if it has none.
  func abandon() {
    if !state.withLock({ $0.isTaken }) { cancel() }
  }

  func request(_ demand: Subscribers.Demand) {
    let buffer = state.withLock { state -> (any Subscription)? in
      if state.isReady { return state.buffer }
      state.early += demand
      return nil
    }
    buffer?.request(demand)
  }

  func cancel() {
    let (buffer, target) = state.withLock { state in
      state.isTaken = true
      return (state.buffer.take(), state.target.take())
    }
    withExtendedLifetime(target) { buffer?.cancel() }
  }
}

/// Owns a part until its publisher is deallocated, and then abandons the part.
final class SubstreamHandle<Value, Failure: Error> {
  let part: Substream<Value, Failure>

  init(_ part: Substream<Value, Failure>) {
    self.part = part
  }

  deinit {
    part.abandon()
  }
}

/// A publisher of the values of a part.
struct SubstreamPublisher<Output, Failure: Error>: _DirectPublisher {
  let handle: SubstreamHandle<Output, Failure>

  init(_ part: Substream<Output, Failure>) {
    handle = SubstreamHandle(part)
  }

  func _attach(_ downstream: Downstream<Output, Failure>) {
    handle.part.attach(downstream)
  }
}

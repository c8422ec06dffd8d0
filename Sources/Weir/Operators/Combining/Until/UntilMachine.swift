/// The state machine of `prefix(untilOutputFrom:)` and `drop(untilOutputFrom:)`.
///
/// It forwards values before or after the first value of another upstream.
///
/// The source has number 0. The other upstream has number 1, and its value is the signal.
@usableFromInline
struct UntilMachine<Output, Failure: Error>: CoordinatorMachine {
  /// The state of the other upstream.
  @usableFromInline
  enum Other {
    /// It has not sent its subscription.
    case waiting
    /// Its value is being requested, or has been.
    case asked(SubscriptionObject)
    /// It has sent its value or completed, or it is not needed any more.
    case terminated

    @inlinable
    var subscription: SubscriptionObject? {
      switch self {
      case .asked(let subscription): subscription
      case .waiting, .terminated: nil
      }
    }
  }

  /// Whether values are forwarded after the signal, rather than before it.
  @usableFromInline
  let opensAtSignal: Bool

  @usableFromInline
  var isOpen: Bool

  /// Whether the downstream is to get its subscription before the upstream's arrives, as in Combine.
  @usableFromInline
  var announcesFirst: Bool

  @usableFromInline
  var state = UpstreamState()

  @usableFromInline
  var other = Other.waiting

  /// The completion that the other upstream has caused.
  @usableFromInline
  var ending: AnyCompletion?

  @inlinable
  init(opensAtSignal: Bool) {
    self.opensAtSignal = opensAtSignal
    isOpen = !opensAtSignal
    announcesFirst = opensAtSignal
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if number == 0 {
      let isFirst = isEarly
      state.subscribed(subscription)
      if isFirst { state.phase = .running }
    } else if case .waiting = other {
      other = .asked(subscription)
      return .request(.max(1))
    } else {
      state.end.cancel(subscription)
    }
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    switch other {
    case .asked(let subscription): state.end.cancel(subscription)
    case .waiting where opensAtSignal: break
    case .waiting, .terminated: return .nothing
    }
    other = .terminated
    isOpen = opensAtSignal
    if !opensAtSignal { ending = .finished }
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    if number == 0 {
      if isEarly || state.completed(completion) { finish(completion) }
    } else if other.subscription != nil {
      other = .terminated
      // Without a signal no value would ever be forwarded.
      if opensAtSignal { ending = completion }
    }
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    state.toRequest += more
  }

  @inlinable
  mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    if let subscription = other.subscription { state.end.cancel(subscription) }
    other = .terminated
    ending = nil
    isOpen = false
    announcesFirst = false
    state.finish(completion)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    isOpen && (state.isRunning || isEarly) ? .deliver(value) : .nothing
  }

  /// Whether the downstream has its subscription while the upstream's has not arrived: values are forwarded then, as in
  /// Combine.
  @inlinable
  var isEarly: Bool {
    if case .waiting = state.phase { opensAtSignal && !announcesFirst } else { false }
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Never> {
    if announcesFirst {
      announcesFirst = false
      return .announce
    }
    if let ending, state.isRunning || isEarly { finish(ending) }
    return state.next()
  }
}
